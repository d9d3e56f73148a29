// Fair dice, settings, keys, the position as text, in French.
import type { Message } from '../lib/text/message';
import type { aside as english } from './aside.en';

export const aside: Record<keyof typeof english, Message> = {
  'fair.title': 'Les dés sont-ils vérifiables ?',
  'fair.short': 'Dés vérifiables',
  'fair.how':
    'Avant la partie, le serveur publie le SHA-256 d’une graine secrète. Chaque joueur peut ajouter un mot au hasard. Chaque jet et chaque carte découlent de la graine, des mots et d’un compteur. Après la partie, la graine est révélée, et votre navigateur recalcule tout.',
  'fair.check': 'Vérifier',
  'fair.right': {
    one: 'Tout est juste : la graine est celle promise, et le jet en découle.',
    other: 'Tout est juste : la graine est celle promise, et les {n} jets et cartes en découlent.',
  },
  'fair.broken': 'La graine n’est pas celle qui était promise.',
  'fair.wrong': {
    one: 'Un seul ne concorde pas, le numéro {event} : il dit {said}, la graine donne {right}.',
    other:
      '{n} ne concordent pas. Le premier est le numéro {event} : il dit {said}, la graine donne {right}.',
  },
  'fair.commitment': 'Promis avant la partie :',
  'fair.seed': 'Graine, révélée après la partie :',
  'fair.words': 'Mots au hasard des joueurs :',
  'fair.word': '{name} : {word}',
  'fair.every': 'Tous les jets et cartes',
  'fair.who': 'Joueur',
  'fair.came': 'Résultat',
  'fair.of': 'Chances',

  'set.language': 'Langue',
  'set.theme': 'Couleurs',
  'set.motion': 'Animations',
  'set.system': 'Système',
  'set.light': 'Clair',
  'set.dark': 'Sombre',
  'set.on': 'Oui',
  'set.off': 'Non',
  'set.sound': 'Son',
  'set.notify': 'Me prévenir quand c’est à moi et que je suis ailleurs',
  'set.notify.no':
    'Votre navigateur bloque les notifications. Autorisez-les pour cette page, puis réessayez.',
  'set.rules': 'Afficher les numéros des règles',
  'keys.title': 'Clavier',
  'keys.tab': 'Tab parcourt tout ce que vous pouvez faire ; Entrée ou Espace le fait.',
  'keys.m': 'M : vos coups',
  'keys.l': 'L : journal',
  'keys.p': 'P : position en texte',
  'keys.r': 'R : lancer les dés',
  'keys.u': 'U : annuler le coup',
  'keys.h': 'H : conseil',
  'keys.w': 'W : C’est quoi ? Puis les flèches vont de chose en chose ; Échap termine.',
  'keys.arrows': 'Flèches, Début, Fin, Espace : parcourir une partie',

  'colour.0': 'rouge',
  'colour.1': 'bleu',
  'colour.2': 'jaune',
  'colour.3': 'vert',
  'colour.4': 'blanc',
  'colour.5': 'violet',
  'colour.6': 'noir',
  'colour.7': 'orange',
  'colour.8': 'bleu clair',
  'colour.9': 'rose',
  'colour.10': 'brun',
  'colour.11': 'vert clair',
  'text.title': 'Position en texte',
  'text.hand': 'Vos cartes : {cards}.',
};
