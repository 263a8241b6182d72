import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'
import type { SharedTexts } from '../../../dictionaries/shared-en.ts'
import type { PageTexts } from '../../../dictionaries/page-texts.ts'

type Asked = Pick<UpstreamProbeView['steps'][number], 'result' | 'status' | 'said'>

/** What came of asking for a list of models, and what the provider said itself. */
export function listResult(
  { result, status, said }: Asked,
  t: PageTexts['upstreams'],
  { sentences }: Pick<SharedTexts, 'sentences'>,
): string {
  const what = result === 'status' ? t.listStatus(status) : t.listResults[result]
  return said === null ? what : sentences([what, t.providerSaid(said)])
}
