import type { ServiceTerms } from '../../core/terms.ts'
import type { TokenCounts } from '../../core/tokens.ts'
import type { AnswerAbout } from '../protocol.ts'
import { withMoreCalls } from '../reading/answer.ts'
import { AnswerCalls } from '../reading/answer-calls.ts'
import { isAnyUsed } from '../reading/answer-failure.ts'
import { laterTerms } from '../reading/answer-terms.ts'
import type { UsageReport } from '../reading/usage-report.ts'
import { UsageTally } from '../reading/usage-tally.ts'
import type { ProducedText } from './produced-text.ts'

/** What the policies of all wires of chat models note of an answer while its events pass. */
export class AnswerPolicy {
  readonly #tally: UsageTally
  /** Null where calls are not counted. */
  protected readonly calls: AnswerCalls | null
  protected readonly passesUnknown: boolean
  /** There was more than text, such as a call or what a tool found. */
  protected hasContent = false
  protected isWithheld = false
  terms: ServiceTerms | undefined
  usageIsFinal = false

  /** `wire`: see `UsageTally` and `AnswerCalls`. */
  constructor(
    { countsCalls, isTranslated }: AnswerAbout,
    wire: { readonly inputIncludesCache: boolean; readonly sourcesMean?: 'grounded_prompt' },
  ) {
    this.#tally = new UsageTally(wire)
    this.calls = countsCalls === true ? new AnswerCalls(wire.sourcesMean) : null
    this.passesUnknown = isTranslated !== true
  }

  get usage(): TokenCounts {
    return withMoreCalls(this.#tally.counts, this.calls)
  }

  isNothing(text: ProducedText): boolean {
    return !isAnyUsed(this.usage) && !this.isWithheld && !this.hasContent && !text.hasContent
  }

  /** Takes what an event reports; null: nothing. */
  protected report(usage: UsageReport | null, terms: ServiceTerms | null): void {
    this.#tally.add(usage)
    this.terms = laterTerms(this.terms, terms)
  }
}
