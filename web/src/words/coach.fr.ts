// L’entraîneur et la première course, en français.
import type { Message } from '../lib/text/message';

export const coach = {
  'coach.title': 'Entraîneur',
  'coach.none': 'Rien à compter ici.',
  'coach.wait': 'Les chiffres reviennent à votre prochain tour.',
  'menu.coach': 'Entraîneur : l’essentiel en chiffres',
  'menu.coach.vote': 'Voter pour l’entraîneur',
  'menu.coach.off': 'Désactiver l’entraîneur pour tous',
  'vote.coach': 'Autoriser l’entraîneur pour tout le monde ? Pour : {by} ({n} sur {need}).',
  'race.title': 'Votre première course',
  'race.about': 'Une courte partie contre des bots, avec un conseil à chaque nouveauté.',
  'race.start': 'Jouer votre première course',
  'race.again': 'La rejouer',
  'race.done': 'Votre première course est finie. Vous connaissez maintenant le jeu.',
  'race.more': 'Retour aux leçons',
  'race.earlier': { one: 'Le conseil précédent', other: 'Les {n} conseils précédents' },
} satisfies Record<string, Message>;
