import { formatUsd, nanoUsd } from '../../../core/money.ts'
import { Agreement, type Sides } from '../agreement.ts'

const SENTENCES_LIMIT = 100

/**
 * What a proof has found to disagree, in sentences: at once where one row shows it, and after a second reading of the books
 * where sums over many rows differ.
 */
export class Findings {
  readonly #sentences: string[] = []
  readonly #agreements: { readonly agreement: Agreement; readonly sentence: Sentence }[] = []
  #isFirstReading = true

  /** Sums that must agree. `sentence` says what is wrong with a name on which the sides differ. */
  agreement(sentence: Sentence): Agreement {
    const agreement = new Agreement()
    this.#agreements.push({ agreement, sentence })
    return agreement
  }

  /** What one row shows need be looked at in the first reading only. */
  get isFirstReading(): boolean {
    return this.#isFirstReading
  }

  say(sentence: string): void {
    if (this.#isFirstReading) this.#add(sentence)
  }

  /** Whether all sums agree. */
  get sumsAgree(): boolean {
    return this.#agreements.every(({ agreement }) => agreement.holds)
  }

  beginAgain(): void {
    this.#isFirstReading = false
    for (const { agreement } of this.#agreements) agreement.beginAgain()
  }

  /** All of them, after the last reading. */
  sentences(): readonly string[] {
    for (const { agreement, sentence } of this.#agreements) {
      for (const { name, sides } of agreement.differing()) this.#add(sentence(name, sides))
    }
    return this.#sentences
  }

  #add(sentence: string): void {
    if (this.#sentences.length < SENTENCES_LIMIT) this.#sentences.push(sentence)
  }
}

type Sentence = (name: string, sides: Sides) => string

/** Lists the figures on which two sides differ; `say` gets the words of one, and what each side has. */
export function differences(
  figures: readonly string[],
  { one, other }: Sides,
  say: (figure: string, sides: readonly [one: string, other: string]) => string,
): string {
  const different = figures.flatMap((name, at) => {
    if (one[at] === other[at]) return []
    const written = (figure: bigint | undefined) => (name.endsWith('_nano') ? usd(figure) : String(figure))
    return [say(name.replace('_nano', '').replaceAll('_', ' '), [written(one[at]), written(other[at])])]
  })
  return different.join('; ')
}

export function usd(amount: bigint | undefined): string {
  return `$${formatUsd(nanoUsd(amount ?? 0n))}`
}
