import type { AttentionItemView } from '../../../../src/contract/attention.ts'
import type { OperationsTexts } from '../../../dictionaries/operations-en.ts'

/** What to do about an item, sentence by sentence: why it is so where that is known, the likely name, and what helps. */
export function adviceOf(
  { because, nearest, kind }: Pick<AttentionItemView, 'because' | 'nearest' | 'kind'>,
  t: Pick<OperationsTexts, 'because' | 'nearest' | 'advice'>,
): readonly string[] {
  return [
    ...(because === 'credential' || because === 'no_credit' ? [t.because[because]] : []),
    ...(nearest === null ? [] : [t.nearest(nearest)]),
    t.advice[kind],
  ]
}
