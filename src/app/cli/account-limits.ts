import { accountLimitsOnWire } from '../../contract/objects/account-limits.ts'
import type { Account } from '../../access/account.ts'
import { accountUpdated } from '../../control/account-notes.ts'
import type { SetLimits } from '../../core/account-limits.ts'
import { readLimits } from '../../entitlement/account-limits.ts'
import type { Store } from '../../store/store.ts'
import { expected } from '../declarative/fields.ts'
import { accountLimitFields, accountLimits, limitsWritten } from '../declarative/limit-fields.ts'
import { accountByEmail } from './account-commands.ts'
import { changeByCli } from './change-by-cli.ts'
import { CommandFailure, type CliHost, UsageError } from './cli-host.ts'
import type { Call, CommandRun } from './command.ts'
import { flagOf } from './key-flags.ts'
import { reachNodes } from './reach-nodes.ts'
import { readOperands } from './read-value.ts'
import { textTable } from './text-table.ts'
import { withStore } from './with-installation.ts'

type Field = keyof typeof accountLimitFields

const FIELDS = Object.keys(accountLimitFields) as Field[]
/** Instead of a value: no such limit, and what plans and the installation say. */
const NONE = 'none'
const DEFAULT = 'default'

/** Sets the limits that are named, and prints those that hold then. */
export const limitAccount: CommandRun = (call, host) => {
  const [email] = readOperands(call, { words: 'account limits', names: ['EMAIL'] })
  const given = FIELDS.filter((field) => call.text(flagOf(field)) !== null || call.list(flagOf(field)) !== null)
  const wanted = wantedBy(call, given)
  const unset = given.filter((field) => textOf(call, field) === DEFAULT).map(propertyOf)
  return withStore(host, async (store) => {
    const account = await accountByEmail(store.accounts, email)
    if (given.length > 0) {
      const change = (before: SetLimits | undefined) => without({ ...before, ...wanted }, unset)
      const seq = await changed(account, change, { store, host })
      await reachNodes(seq, { store, host, done: `The limits of ${email} are changed` })
    }
    const after = (await store.accounts.findById(account.id)) ?? account
    const limits = accountLimitsOnWire(await readLimits(after, store, host.nowMs()))
    if (call.has('json')) {
      host.print(`${JSON.stringify(limits)}\n`)
      return 0
    }
    const spend = limits.spend.map(({ window, usd }) => `$${usd} in ${window}`).join(', ') || 'unlimited'
    const rows = FIELDS.map((field) => [field, field === 'spend' ? spend : String(limits[field] ?? 'unlimited')])
    host.print(textTable([['LIMIT', 'IN FORCE'], ...rows]))
    return 0
  })
}

/** Throws UsageError for a value that a limit does not take. */
function wantedBy(call: Call, given: readonly Field[]): SetLimits {
  const set = given.filter((field) => textOf(call, field) !== DEFAULT)
  const sent = Object.fromEntries(
    set.map((field) => [field, textOf(call, field) === NONE ? null : valueOf(call, field)]),
  )
  const parsed = accountLimits().safeParse(sent)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = FIELDS.find((each) => each === issue?.path[0]) ?? 'spend'
  const text = JSON.stringify(textOf(call, field))
  throw new UsageError(`--${flagOf(field)} is ${text}, but ${expected(issue?.message ?? '')}, ${NONE} or ${DEFAULT}.`)
}

function valueOf(call: Call, field: Field): unknown {
  if (field !== 'spend') return call.text(flagOf(field))
  return call.list('spend')?.map((limit) => ({ window: limit.split('=')[0], usd: limit.split('=')[1] }))
}

function textOf(call: Call, field: Field): string {
  return call.list(flagOf(field))?.join(',') ?? call.text(flagOf(field)) ?? ''
}

function changed(
  { id, email }: Account,
  change: (before: SetLimits | undefined) => SetLimits,
  { store, host }: { readonly store: Store; readonly host: CliHost },
): Promise<number | null> {
  return changeByCli({ store, nowMs: host.nowMs() }, async ({ accounts }, audit) => {
    const edit = ({ limits, ...kept }: Account): Account => ({ ...kept, ...limitsWritten(change(limits)) })
    const answer = await accounts.edit(id, edit, null)
    if (answer.kind !== 'edited') {
      throw new CommandFailure(`${email} comes from the declarative file: change its limits there.`)
    }
    await audit(accountUpdated(answer.before, answer.after))
    return answer.seq
  })
}

function propertyOf(field: Field): string {
  return field.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
}

function without(limits: SetLimits, names: readonly string[]): SetLimits {
  return Object.fromEntries(Object.entries(limits).filter(([name]) => !names.includes(name)))
}
