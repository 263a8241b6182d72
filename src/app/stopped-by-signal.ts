/** What a signal ended, once everything around it is cleared away. The message is the sentence to end with. */
export class StoppedBySignal extends Error {
  override readonly name = 'StoppedBySignal'
  readonly signal: NodeJS.Signals

  constructor(sentence: string, signal: NodeJS.Signals) {
    super(sentence)
    this.signal = signal
  }
}
