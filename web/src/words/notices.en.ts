// Texts of notices: where and when the reader is told that a game waits.
export const notices = {
  'notices.title': 'Tell me when a game waits',
  'notices.about':
    'Off until you ask for it. You are told once for each turn, a minute after it began, unless you are at the table by then.',
  'notices.push': 'On this device',
  'notices.push.plain': 'On this device: not possible here, because this address has no https.',
  'notices.push.iphone':
    'On this device: first add Quadriga to your home screen (Share, then Add to Home Screen), and open it from there.',
  'notices.push.none': 'On this device: this browser takes no pushes.',
  'notices.push.denied':
    'On this device: you have blocked notifications of this site. Your browser’s settings can allow them again.',
  'notices.webhook': 'Send it to another program',
  'notices.webhook.text': 'Discord, Slack, Matrix and ntfy give you an address for this.',
  'notices.webhook.address': 'Address',
  'notices.webhook.shape': 'Program',
  'notices.webhook.add': 'Add',
  'notices.webhook.text-only': 'ntfy, or plain text',
  'notices.try': 'Try it',
  'notices.try.sent': 'Sent. Has it arrived?',
  'notices.try.failed': 'It was not taken. Check the address.',
  'notices.remove': 'Remove',
  'notices.kind.turn': 'It is my turn',
  'notices.kind.over': 'One of my games is over',
  'notices.detail': 'Say which game it is',
  'notices.digest': 'Only once a day, at',
  'notices.quiet': 'Not between',
  'notices.quiet.and': 'and',
};
