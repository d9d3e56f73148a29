// Input that is not sent yet: an offer, and the limit of automatic bids.
import { settings } from '../../lib/app/settings.svelte';
import { blank, type Draft } from './controls/draft';

export class BenUi {
  draft: Draft = $state(blank());
  limit: number = $state(settings.limit);
  lot = ''; // the lot that the limit is for
}
