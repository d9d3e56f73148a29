// What the player has prepared: an offer, and how far the page may bid for them.
import { settings } from '../../lib/app/settings.svelte';
import { blank, type Draft } from './draft';

export class BenUi {
  draft: Draft = $state(blank());
  limit: number = $state(settings.limit);
  lot = ''; // the lot that the limit is for
}
