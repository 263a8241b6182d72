/** What the gateway has written down, read past it from its database file. Money is nano-USD. */
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { tagOf } from './stream-menu.ts'

export interface WrittenHolds {
  readonly openRequests: number
  readonly leases: number
  /** The amount held of all budgets together. */
  readonly heldNano: bigint
  readonly overruns: number
  /** Kinds of budgets on which something was charged. */
  readonly drawnKinds: number
}

/** Also beside a running gateway. */
export function readHolds(dataDirectory: string): WrittenHolds {
  return asking(dataDirectory, (ask) => {
    const [budgets] = ask<{ held: bigint; overruns: bigint; kinds: bigint }>(
      `select coalesce(sum(held_nano), 0) as held, coalesce(sum(overruns), 0) as overruns,
        count(distinct case when used_nano > 0 then kind end) as kinds from budgets`,
    )
    const count = (table: string) => Number(ask<{ count: bigint }>(`select count(*) as count from ${table}`)[0]?.count)
    return {
      openRequests: count('open_requests'),
      leases: count('leases'),
      heldNano: budgets?.held ?? 0n,
      overruns: Number(budgets?.overruns),
      drawnKinds: Number(budgets?.kinds),
    }
  })
}

/** A number of streams that were asked for under one label, and which of them were answered: see `StreamReport`. */
export interface AskedStreams {
  readonly label: string
  readonly answered: string
}

export interface WrittenRecords {
  readonly records: number
  readonly byOutcome: ReadonlyMap<string, number>
  /** Streams with more than one record. */
  readonly doubled: number
  /** Streams that were answered and have none. */
  readonly missing: number
  /** Records of unexpected streams. */
  readonly strays: number
  /** Records of attempts that were called off because another answered first: the installation pays for them. */
  readonly calledOff: number
}

/** Compares the records with the streams that were asked for. */
export function readRecords(dataDirectory: string, asked: readonly AskedStreams[]): WrittenRecords {
  const rows = asking(dataDirectory, (ask) =>
    ask<{ client: string | null; outcome: string; count: bigint }>(
      `select client, min(outcome) as outcome, count(*) as count from usage_records
        where account_id <> 'acc_hedge' group by client`,
    ),
  )
  const [calledOff] = asking(dataDirectory, (ask) =>
    ask<{ count: bigint }>("select count(*) as count from usage_records where account_id = 'acc_hedge'"),
  )
  const found = new Set(rows.map(({ client }) => client ?? ''))
  const known = new Set<string>()
  let missing = 0
  for (const { label, answered } of asked) {
    const bits = Buffer.from(answered, 'base64')
    for (let number = 0; number < bits.length * 8; number++) {
      const tag = tagOf(label, number)
      known.add(tag)
      if (isSet(bits, number) && !found.has(tag)) missing++
    }
  }
  const byOutcome = new Map<string, number>()
  for (const { outcome, count } of rows) byOutcome.set(outcome, (byOutcome.get(outcome) ?? 0) + Number(count))
  return {
    records: rows.reduce((sum, { count }) => sum + Number(count), 0),
    byOutcome,
    doubled: rows.filter(({ count }) => count > 1n).length,
    missing,
    calledOff: Number(calledOff?.count),
    strays: [...found].filter((client) => !known.has(client)).length,
  }
}

function isSet(bits: Buffer, number: number): boolean {
  return (bits.readUInt8(number >> 3) & (1 << (number & 7))) !== 0
}

type Ask = <Row>(sql: string) => Row[]

function asking<Answer>(dataDirectory: string, questions: (ask: Ask) => Answer): Answer {
  const database = new DatabaseSync(join(dataDirectory, 'tollgate.db'), { readOnly: true, timeout: 5_000 })
  try {
    return questions(<Row>(sql: string) => {
      const statement = database.prepare(sql)
      statement.setReadBigInts(true)
      return statement.all() as Row[]
    })
  } finally {
    database.close()
  }
}
