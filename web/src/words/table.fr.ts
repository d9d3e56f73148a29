// The layout of a table: votes, giving up, levels, undo, in French.
import type { Message } from '../lib/text/message';
import type { table as english } from './table.en';

export const table: Record<keyof typeof english, Message> = {
  'level.title': 'Niveau des bots',
  'level.easy': 'joue au hasard : pour apprendre les règles',
  'level.normal': 'joue le meilleur coup qu’il voit : un adversaire à votre portée',
  'level.hard': 'calcule un peu à l’avance : bat presque tout le monde',
  'level.master': 'calcule plus loin : le plus fort',
  'home.continue': 'Continuer',
  'home.turn.yours': 'À vous de jouer',
  'home.turn.other': 'En attente de {name}',
  'home.turn.lobby': 'Pas encore commencée',
  'home.turn.paused': 'En pause',
  'home.against': 'avec {names}',
  'lobby.waiting': 'En attente de {name}',
  'lobby.waits': {
    one: 'La partie commence dès que {names} est là.',
    other: 'La partie commence dès que {names} sont là.',
  },
  'create.wrong':
    'L’un des fichiers ou des listes ci-dessus n’est pas encore correct. Corrigez-le pour commencer.',
  'create.undo': 'Les coups peuvent être annulés : dés et cartes attendent 3 secondes après chaque coup',
  'undo.why':
    'Pas d’annulation ici : les dés ou les cartes suivent aussitôt chaque coup. Qui crée une table peut l’autoriser.',
  'undo.grace': 'Annulation possible : dés et cartes attendent un instant après chaque coup.',
  'menu.giveup': 'Abandonner',
  'confirm.giveup': 'Abandonner cette partie ?',
  'confirm.giveup.text': 'La partie s’arrête aussitôt. On pourra la revoir, mais pas la continuer.',
  'confirm.end': 'Proposer aux autres de mettre fin à la partie ?',
  'confirm.end.text': 'Elle s’arrête quand tout le monde est d’accord.',
  'confirm.remove': 'Proposer aux autres d’exclure {name} ?',
  'confirm.remove.text': 'Si assez de joueurs sont d’accord, un bot prend la place de {name}.',
  'confirm.unseat': 'Retirer {name} de la table ?',
  'confirm.unseat.text': 'La place redevient libre.',
  'confirm.yes': 'Oui',
  'vote.later': 'Plus tard',
  'turn.gaveup': 'Vous avez abandonné',
  'turn.covered': 'Un bot joue pour vous',
  'over.again': 'Nouvelle partie',
  'over.home': 'Accueil',
  'chat.open': { one: 'Discussion : {n} nouveau message', other: 'Discussion : {n} nouveaux messages' },
  close: 'Fermer',
};
