// Recompute fair dice from the seed, the players' words and the number of each chance event.
// `crypto.subtle` does not exist over plain http on a home network, so a library does the hashing.
import { hmac } from '@noble/hashes/hmac.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex as hex, hexToBytes as unhex } from '@noble/hashes/utils.js';

export interface Chance {
  seat: number | null;
  text: string;
  outcomes: [string, number][];
}

export interface Checked {
  committed: boolean;
  wrong: { number: number; said: string; right: string }[];
  rolls: number;
}

export function pick(
  seed: Uint8Array,
  words: string[],
  number: number,
  outcomes: [string, number][],
): string {
  const spoken = new TextEncoder().encode(JSON.stringify(words));
  const head = new TextEncoder().encode('quadriga/1');
  const message = new Uint8Array(head.length + 1 + spoken.length + 1 + 12);
  message.set(head);
  message.set(spoken, head.length + 1);
  const tail = new DataView(message.buffer, message.length - 12);
  tail.setBigUint64(0, BigInt(number));
  const total = BigInt(outcomes.reduce((sum, [, weight]) => sum + weight, 0));
  const ceiling = ((1n << 128n) / total) * total;
  for (let attempt = 0; ; attempt++) {
    tail.setUint32(8, attempt);
    const r = BigInt('0x' + hex(hmac(sha256, seed, message).slice(0, 16)));
    if (r >= ceiling) continue;
    let left = r % total;
    for (const [text, weight] of outcomes) {
      left -= BigInt(weight);
      if (left < 0n) return text;
    }
  }
}

export function check(commitment: string, seed: string, words: string[], events: Chance[]): Checked {
  const bytes = unhex(seed);
  const wrong: Checked['wrong'] = [];
  events.forEach((event, number) => {
    const right = pick(bytes, words, number, event.outcomes);
    if (right !== event.text) wrong.push({ number, said: event.text, right });
  });
  return { committed: hex(sha256(bytes)) === commitment, wrong, rolls: events.length };
}
