// Les messages pour se rencontrer.
import type { Message } from '../lib/text/message';

export const lobby = {
  'open.title': 'Tables ouvertes',
  'open.none': 'Personne n’attend pour le moment. Ouvrez une table : les autres la verront ici.',
  'open.make': 'Ouvrir une table',
  'open.free': { one: '{n} place libre', other: '{n} places libres' },
  'open.fill': { one: 'des bots arrivent dans {n} minute', other: 'des bots arrivent dans {n} minutes' },
  'open.join': 'S’asseoir',
  'open.yours': 'Votre table',
  'open.on': 'oui',
  'open.off': 'non',
  'open.option': '{name} : {value}',
  'open.clock.move': '{n} s par coup',
  'open.clock.player': '{n} s par joueur',
  'open.lists': 'Ouverte à tous : elle paraît sur l’accueil, chacun peut la rejoindre et la regarder',
  'open.bots': 'Les places libres',
  'open.bots.never': 'attendent des joueurs',
  'open.bots.after': { one: 'vont à des bots après {n} minute', other: 'vont à des bots après {n} minutes' },
  'live.title': 'Parties à regarder',
  'live.watch': 'Regarder',
  'live.present': { one: '{n} personne est ici', other: '{n} personnes sont ici' },
} satisfies Record<string, Message>;
