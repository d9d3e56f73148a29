// Hints, reasons and reviews, in French.
import type { Message } from '../lib/text/message';
import type { insight as english } from './insight.en';

export const insight: Record<keyof typeof english, Message> = {
  'hint.play': 'Jouer ce coup',
  'hint.meanwhile': 'Conseil rapide : le meilleur bot se prépare encore. Redemandez dans un instant.',
  'hint.exact': 'Chances exactes de gagner : cette fin de partie est résolue.',
  'hint.searched': 'Chances de gagner, quelques jets plus loin.',
  'hint.playouts': 'Chances de gagner, d’après {n} parties simulées, ± {error}.',
  'hint.share': 'Part du résultat, d’après {n} courses simulées, ± {error}.',
  'hint.lead': {
    one: '{n} point de mieux que le coup suivant.',
    other: '{n} points de mieux que le coup suivant.',
  },
  'hint.close': 'Plusieurs coups se valent à peu près.',
  'hint.only': 'Il n’y a pas d’autre coup.',
  'hint.few': 'peu essayé',
  'hint.alike': 'à peu près égal',
  'why.thing': '{thing} :',
  'why.none': 'Ne peut pas être joué maintenant.',
  'review.ask': 'Analyser la partie',
  'review.about': 'La valeur de chaque coup, le meilleur coup, et la part de chance.',
  'review.waiting': 'Une autre analyse est en cours ; la vôtre vient ensuite.',
  'review.running': 'Analyse : {done} sur {total}',
  'review.begins': 'L’analyse démarre ; la première d’un jeu prend un peu plus de temps.',
  'review.dropped': 'L’analyse a été annulée.',
  'review.chart': 'Chances de gagner',
  'review.chart.share': 'Part du résultat',
  'review.slips': { one: '{n} erreur', other: '{n} erreurs' },
  'review.none': 'Aucune erreur trouvée.',
  'review.slip': 'Coup {n}, {name} : −{lost}. Mieux : {better}.',
  'review.here': '{before} avec le meilleur coup, {after} avec celui-ci.',
  'review.sure': '(± {error})',
  'review.better': 'Mieux : {better}.',
  'review.best': 'Aucun meilleur coup trouvé.',
  'review.sides': 'Chance et adresse',
  'review.start': 'Départ',
  'review.mistakes': 'Erreurs',
  'review.lost': 'Perdu',
  'review.average': 'Perdu par coup',
  'review.luck': 'Chance',
  'review.result': 'Résultat',
  'review.adjusted': 'Sans la chance',
  'review.how': 'Coups jugés exactement : {exact} ; par {playouts} parties simulées chacun : {rest}.',
  'review.error':
    'Les chances simulées sont justes à ± {error} près ; les pertes plus petites ne comptent pas.',
  'review.share':
    'La part du résultat compte pour moitié l’avance sur le meilleur adversaire, pour moitié l’avance sur tous. La chance comprend les coups des autres.',
  'review.trades':
    'Des offres et pots-de-vin qui n’ont pas été faits, seuls les plus évidents ont été jugés.',
  'chart.expected': 'Attendu',
  'chart.score': 'Score',
};
