// Reviews of finished games: begun by asking, waited for by asking again.
import type { ReviewJob } from './protocol';
import { call } from './wire';

export type { Review, ReviewedMove as Judged, ReviewedSide as Side, ReviewJob as Job } from './protocol';

export const begin = (table: string): Promise<ReviewJob> => call(`/tables/${encodeURIComponent(table)}/review`, {});
export const beginOwn = (record: string): Promise<ReviewJob> => call('/reviews', { record });
export const look = (job: string): Promise<ReviewJob> => call(`/reviews/${encodeURIComponent(job)}`);
