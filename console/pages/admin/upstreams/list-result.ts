import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'
import type { UpstreamsTexts } from '../../../dictionaries/upstreams-en.ts'

type Asked = Pick<UpstreamProbeView['steps'][number], 'result' | 'status' | 'said'>

/** What came of asking for a list of models, and what the provider said itself. */
export function listResult({ result, status, said }: Asked, t: UpstreamsTexts): string {
  const what = result === 'status' ? t.listStatus(status) : t.listResults[result]
  return said === null ? what : `${what} ${t.providerSaid(said)}`
}
