// Input that is not sent yet.

export class AveUi {
  card: number | null = $state(null); // the chosen card
  hover: number | null = $state(null); // the card under the pointer
  space: string | null | undefined = $state(undefined); // the chosen space of the board; null is the finish

  /** The board shows only the ways of this card. */
  get shown(): number | null {
    return this.hover ?? this.card;
  }
}
