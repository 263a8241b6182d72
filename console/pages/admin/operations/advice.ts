import type { AttentionItemView } from '../../../../src/contract/attention.ts'
import type { PageTexts } from '../../../dictionaries/page-texts.ts'

/** What to do about an item, sentence by sentence: why it is so where that is known, the likely name, and what helps. */
export function adviceOf(
  { because, said, nearest, why, kind }: Pick<AttentionItemView, 'because' | 'said' | 'nearest' | 'why' | 'kind'>,
  t: Pick<PageTexts['operations'], 'because' | 'providerSaid' | 'nearest' | 'obstacle' | 'advice'>,
): readonly string[] {
  return [
    ...(said === null ? [] : [t.providerSaid(said)]),
    ...(because === 'credential' || because === 'no_credit' ? [t.because[because]] : []),
    ...(why === null ? [] : [t.obstacle(why, null)]),
    ...(nearest === null ? [] : [t.nearest(nearest)]),
    t.advice[kind],
  ]
}
