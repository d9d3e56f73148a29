// Input that is not sent yet: a drive, an offer.
import { blank, type Draft } from './controls/draft';

export class BenUi {
  drives = $state(false); // whether a whole way can be driven; in a lesson each step is one answer
  aim: string | null = $state(null); // the square that a drive would end on
  way: string[] = $state.raw([]); // the squares of the drive under way that are still to be stepped on
  card: string | null = $state(null); // the card of the hand that is looked at
  isQueueing = $state(false); // a card that is chosen joins the queue
  isPlaying = $state(false); // the queue is being played
  queue: string[] = $state.raw([]); // cards that are played one after the other
  draft: Draft = $state(blank());
  lot = ''; // the lot for which the limit of the settings was sent
  bribeAt = -1; // the number of the position in which the form of a bribe has opened by itself
}
