import type { UpstreamProbeView } from '../../../../src/contract/upstream-probe.ts'

/** What was found out about an address with each of its credentials. */
export interface Found {
  readonly draft: AddressDraft
  readonly probe: UpstreamProbeView
  /** Whether each credential after the first was accepted, in their order. */
  readonly others: readonly boolean[]
}

export interface AddressDraft {
  readonly url: string
  /** One a line. */
  readonly secrets: string
  /** Empty: it is reached without one. */
  readonly proxyUrl: string
  readonly name: string
}

/** The proxy as the API takes it; null: none was entered. */
export function proxyOf({ proxyUrl }: Pick<AddressDraft, 'proxyUrl'>): string | null {
  const entered = proxyUrl.trim()
  return entered === '' ? null : entered
}

/** The secrets that were pasted, each once. */
export function secretsOf({ secrets }: Pick<AddressDraft, 'secrets'>): readonly string[] {
  const lines = secrets.split('\n').map((line) => line.trim())
  return [...new Set(lines)].filter((line) => line !== '')
}
