// Records from files, in French.
import type { Message } from '../lib/text/message';
import type { record as english } from './record.en';

export const record: Record<keyof typeof english, Message> = {
  'home.record': 'Ouvrir une partie enregistrée',
  'home.record.text': 'Une partie gardée dans un fichier : la revoir, l’analyser, vérifier ses dés.',
  'record.title': 'Ouvrir une partie enregistrée',
  'record.one': 'Partie enregistrée',
  'record.file': 'Fichier',
  'record.text':
    'Une partie enregistrée tient dans un fichier : téléchargez-le d’une table finie, ou enregistrez-le depuis une partie en terminal. Il est vérifié selon les règles et n’est pas conservé.',
  'record.choose': 'Choisir un fichier',
  'record.drop': 'ou déposez le fichier n’importe où sur cette page.',
  'record.another': 'Ouvrir une autre partie',
  'record.bad': '{name} n’est pas une partie enregistrée valable.',
  'record.empty': '{name} est vide.',
  'record.utf8':
    '{name} n’est pas du texte UTF-8 : ce n’est pas une partie enregistrée. Ces fichiers finissent par .jsonl.',
  'record.large': '{name} est trop grand : {n} Mo ; le maximum est de {most} Mo.',
  'record.cut': 'Cette partie s’arrête avant la fin.',
  'record.games': 'Parties dans ce fichier',
  'record.game': '{n} sur {total}',
  'record.unfair':
    'Les dés ne peuvent pas être vérifiés : ils n’étaient pas vérifiables, ou la graine manque.',
};
