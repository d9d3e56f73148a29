// Records from files, in French.
import type { Message } from '../lib/text/message';
import type { record as english } from './record.en';

export const record: Record<keyof typeof english, Message> = {
  'home.record': 'Ouvrir un procès-verbal',
  'home.record.text': 'Une partie gardée dans un fichier : la revoir pas à pas, la faire analyser, en vérifier les dés.',
  'record.title': 'Ouvrir un procès-verbal',
  'record.one': 'Procès-verbal',
  'record.file': 'Le fichier',
  'record.text': 'Un procès-verbal, c’est une partie entière dans un fichier : celui qu’une table finie laisse télécharger, ou celui qu’écrit « quadriga play --record ». Il est lu ligne à ligne, selon les règles, et rien n’en est gardé.',
  'record.choose': 'Choisir un procès-verbal',
  'record.drop': 'ou déposez le fichier n’importe où sur cette page.',
  'record.another': 'Ouvrir un autre procès-verbal',
  'record.bad': '{name} n’est pas le procès-verbal d’une partie selon les règles.',
  'record.empty': '{name} est vide.',
  'record.utf8': '{name} n’est pas du texte en UTF-8 : ce ne peut être un procès-verbal. Ce sont des fichiers en .jsonl.',
  'record.large': '{name} ferait {n} Mo en chemin ; un procès-verbal peut en faire {most}.',
  'record.cut': 'Ce procès-verbal s’arrête avant la fin de la partie.',
  'record.games': 'Parties de ce fichier',
  'record.game': '{n} sur {total}',
  'record.unfair': 'Ses dés ne peuvent être vérifiés : ce n’étaient pas des dés vérifiables, ou la graine manque au fichier.',
};
