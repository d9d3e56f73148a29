// Messages about games by days, in French.
import type { Message } from '../lib/text/message';
import type { days as english } from './days.en';

export const days = {
  'create.days': 'Rythme',
  'create.days.live': 'En direct : tout le monde est là',
  'create.days.n': { one: '{n} jour par coup', other: '{n} jours par coup' },
  'create.days.late': 'Qui ne joue pas à temps',
  'create.days.late.bot': 'laisse un bot jouer jusqu’à son retour',
  'create.days.late.lose': 'perd sa place',
  'create.days.text': 'Il n’est pas nécessaire d’être là en même temps.',
  'create.days.windows': 'Vos ordres permanents répondent aux réactions ; sans ordre, vous passez.',
  'days.left': 'Encore {left} pour ce coup',
  'days.left.yours': 'Vous avez {left} pour ce coup',
  'days.over': 'Le temps pour ce coup est écoulé',
  'days.days': { one: '{n} jour', other: '{n} jours' },
  'days.hours': { one: '{n} heure', other: '{n} heures' },
  'days.minutes': { one: '{n} minute', other: '{n} minutes' },
  'days.two': '{first} {second}',
  'days.pace': { one: 'par jours : {n} jour par coup', other: 'par jours : {n} jours par coup' },
  'days.lost': '{name} a perdu sa place au temps. Un bot joue à sa place.',
  'seats.vacation': 'en vacances',
  'seats.late': '{name} : hors délai',
  'menu.days': 'Continuer par jours',
  'menu.live': 'Continuer en direct',
  'menu.leave.days': 'Partir, et demander de jouer par jours',
  'vote.days': 'Continuer par jours, trois jours par coup ? Pour : {by} ({n} sur {need}).',
  'vote.live': 'Continuer en direct, dès que tout le monde est là ? Pour : {by} ({n} sur {need}).',
  'vacation.title': 'Vacances',
  'vacation.text':
    'Dans les parties par jours, votre temps s’arrête pendant votre absence : {days} jours par an. Les autres voient que vous êtes en vacances.',
  'vacation.left': { one: 'Il reste {n} jour.', other: 'Il reste {n} jours.' },
  'vacation.until': 'Vous êtes en vacances, jusqu’au {date} au plus tard.',
  'vacation.begin': 'Commencer mes vacances',
  'vacation.end': 'Je suis de retour',
} satisfies Record<keyof typeof english, Message>;
