// Input that is not sent yet.

export class AveUi {
  card: number | null = $state(null); // the board shows only the ways of this card
}
