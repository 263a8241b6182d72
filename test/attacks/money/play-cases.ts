/** Plays each case alone, and many at once on a cent; says what was billed upstream and what was charged. */
import { Agent } from 'node:http'
import { parseUsd } from '../../../src/core/money.ts'
import { PATIENCE_MS } from '../../support/patience.ts'
import type { BilledCall } from '../../support/provider/ledger.ts'
import type { AttackedGateway, Purse } from '../attacked-gateway.ts'
import { billOf, feesOf } from './bill.ts'
import type { MoneyCase } from './money-case.ts'
import { CENT_USD } from './purses.ts'
import { sendCase, type Sent } from './send-case.ts'
import { said } from './wire-calls.ts'

export const AT_ONCE = 20

/** What came of a case in one setting. Money in nano-USD. */
export interface Outcome {
  /** Requests that reached the provider. */
  readonly served: number
  readonly billed: bigint
  readonly charged: bigint
  /** Tokens of input that the provider billed. */
  readonly input: number
  /** The part of what was billed for calls of the provider's own tools. */
  readonly fees: bigint
  /** The dearest single one. */
  readonly dearest: bigint
  /** Faults of those that were refused, each once. */
  readonly faults: readonly string[]
}

export interface Played {
  readonly one: MoneyCase
  readonly alone: Outcome
  readonly together: Outcome
}

/** So that the gateway knows of each thinker that it thinks, as it would of a model in use: honest calls, read to their end. */
export async function useHonestly(gateway: AttackedGateway): Promise<void> {
  const agent = new Agent()
  const { secret } = await gateway.purse('100')
  const honest = { family: 'hidden', name: 'honest', isStream: true, headers: {}, query: '', leaves: 'never' } as const
  const rest = { bound: 'steps', rule: null, wire: 'chat', only: null } as const
  const body = JSON.stringify({ model: 'MODEL', stream: true, ...said('Think 5000. Write 20 words.') })
  for (const model of ['thinking', 'thinking', 'thinking'] as const) {
    await sendCase({ ...honest, ...rest, model, body }, { gateway, secret, tag: 'honest', agent })
  }
  agent.destroy()
}

export async function playCase(one: MoneyCase, gateway: AttackedGateway): Promise<Played> {
  const many = async () =>
    playWith(one, { gateway, count: AT_ONCE, purse: await gateway.purse(one.purseUsd ?? CENT_USD) })
  if (one.isBriefFirst === true) {
    const brief = { ...one, body: one.body.replace(/Write \d+ words\.(?: Wait \d+ ms\.)?/, 'Write 3 words.') }
    await playWith(brief, { gateway, count: 1, purse: await gateway.purse('50') })
  }
  const first = one.isCold === true ? await many() : null
  const alone = await playWith(one, { gateway, count: 1, purse: await gateway.purse('50') })
  return { one, alone, together: first ?? (await many()) }
}

/** Plays a case on another purse of a cent. */
export async function playOn(purse: Purse, one: MoneyCase, gateway: AttackedGateway): Promise<Played> {
  const alone = await playWith(one, { gateway, count: 1, purse: await gateway.purse('50') })
  return { one, alone, together: await playWith(one, { gateway, count: AT_ONCE, purse }) }
}

let played = 0

async function playWith(
  one: MoneyCase,
  { gateway, count, purse }: { gateway: AttackedGateway; count: number; purse: Purse },
): Promise<Outcome> {
  const agent = new Agent({ keepAlive: true, maxSockets: count })
  const tags = Array.from({ length: count }, (_, index) => `attack-${++played}-${index}`)
  const sent = await Promise.all(tags.map((tag) => sendCase(one, { gateway, secret: purse.secret, tag, agent })))
  agent.destroy()
  const records = await recordsOf(purse, { gateway, tags })
  const calls = await callsOf(gateway, new Set(tags))
  const bills = calls.map(billOf)
  return {
    served: calls.length,
    billed: bills.reduce((sum, bill) => sum + bill, 0n),
    fees: calls.reduce((sum, call) => sum + feesOf(call), 0n),
    charged: records.reduce((sum, { cost }) => sum + parseUsd(cost), 0n),
    input: calls.reduce((sum, { input, cacheRead }) => sum + input + cacheRead, 0),
    dearest: bills.reduce((most, bill) => (bill > most ? bill : most), 0n),
    faults: faultsOf(sent, records),
  }
}

interface Written {
  readonly cost: string
  readonly client: string | null
  readonly fault: string | null
}

/** The records of all requests, once each has its own: what a client broke off is written some seconds later. */
async function recordsOf(
  { accountId }: Purse,
  { gateway, tags }: { gateway: AttackedGateway; tags: readonly string[] },
): Promise<readonly Written[]> {
  const deadline = AbortSignal.timeout(PATIENCE_MS)
  for (;;) {
    const path = `/api/usage?account_id=${accountId}&limit=100`
    const { data } = await gateway.admin.ask<{ data: readonly Written[] }>('GET', path)
    const seen = new Set(data.map(({ client }) => client))
    if (tags.every((tag) => seen.has(tag))) return data
    if (deadline.aborted) throw new Error(`${tags.length - seen.size} of ${tags.length} requests have no usage record`)
    await new Promise((resolve) => void setTimeout(resolve, 50))
  }
}

/** What reached the provider, once all of it has ended there. */
async function callsOf({ provider }: AttackedGateway, tags: ReadonlySet<string>): Promise<readonly BilledCall[]> {
  const deadline = AbortSignal.timeout(PATIENCE_MS)
  for (;;) {
    const calls = provider.ledger.calls.filter(({ headers }) => tags.has(headers['user-agent'] ?? ''))
    if (calls.every(({ end }) => end !== 'running')) return calls
    if (deadline.aborted) throw new Error('a call does not end at the provider')
    await new Promise((resolve) => void setTimeout(resolve, 20))
  }
}

function faultsOf(sent: readonly Sent[], records: readonly Written[]): string[] {
  const all = [...sent.map(({ fault }) => fault), ...records.map(({ fault }) => fault)]
  return Array.from(new Set(all.filter((fault) => fault !== null))).sort()
}
