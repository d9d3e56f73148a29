// Les textes des avis : où et quand le lecteur apprend qu’une partie l’attend.
import type { Message } from '../lib/text/message';
import type { notices as english } from './notices.en';

export const notices: Record<keyof typeof english, Message> = {
  'notices.title': 'M’avertir quand une partie m’attend',
  'notices.about':
    'Rien sans votre demande. Un seul avis par tour, une minute après son début, sauf si vous êtes déjà à la table.',
  'notices.push': 'Sur cet appareil',
  'notices.push.asking': 'On interroge le service de notifications de votre navigateur…',
  'notices.push.silent':
    'Le service de notifications de votre navigateur ne répond pas. Réessayez plus tard.',
  'notices.push.plain': 'Sur cet appareil : impossible ici, car cette adresse n’est pas en https.',
  'notices.push.iphone':
    'Sur cet appareil : ajoutez d’abord Quadriga à l’écran d’accueil (Partager, puis Sur l’écran d’accueil), et ouvrez-le de là.',
  'notices.push.none': 'Sur cet appareil : ce navigateur ne reçoit pas d’avis.',
  'notices.push.denied':
    'Sur cet appareil : vous avez bloqué les notifications de ce site. Les réglages du navigateur peuvent les rétablir.',
  'notices.webhook': 'L’envoyer à un autre programme',
  'notices.webhook.text': 'Discord, Slack, Matrix et ntfy vous donnent une adresse pour cela.',
  'notices.webhook.address': 'Adresse',
  'notices.webhook.shape': 'Programme',
  'notices.webhook.add': 'Ajouter',
  'notices.webhook.text-only': 'ntfy, ou texte simple',
  'notices.mail': 'Par e-mail',
  'notices.mail.address': 'Adresse e-mail',
  'notices.mail.send': 'M’envoyer un code',
  'notices.mail.code': 'Code reçu par e-mail',
  'notices.mail.confirm': 'Confirmer',
  'notices.stop': 'Plus d’avis',
  'notices.stop.wait': 'Un instant …',
  'notices.stop.done': 'Vous ne recevrez plus ces avis.',
  'notices.offline': 'Pas de connexion. Vous voyez la position du {date}.',
  'notices.try': 'Essayer',
  'notices.try.sent': 'Envoyé. L’avez-vous reçu ?',
  'notices.try.failed': 'L’avis n’a pas été accepté. Vérifiez l’adresse.',
  'notices.remove': 'Supprimer',
  'notices.kind.turn': 'C’est à moi de jouer, ou ma table de tournoi est prête',
  'notices.kind.over': 'Une de mes parties est finie',
  'notices.kind.invitation': 'On m’invite à une table ou dans une ligue',
  'notices.kind.night': 'Une de mes soirées de jeu commence dans une heure',
  'notices.detail': 'Dire de quel jeu il s’agit',
  'notices.digest': 'Une seule fois par jour, à',
  'notices.quiet': 'Jamais entre',
  'notices.quiet.and': 'et',
};
