import { mustBe } from '../../core/must-be.ts'
import { setLimitsOnWire } from '../../contract/objects/account-limits.ts'
import { limitsReport } from '../../contract/account-limits.ts'
import { account } from '../../contract/accounts.ts'
import type { SetLimits } from '../../core/account-limits.ts'
import { accountLimitFields, accountLimits } from '../declarative/limit-fields.ts'
import { accountByEmail } from './account-commands.ts'
import { UsageError } from './cli-host.ts'
import type { Invocation, CommandRun } from './command.ts'
import { flagOf } from './key-flags.ts'
import { callOwn } from './own-routes.ts'
import { readOperands } from './read-value.ts'
import { textTable } from './print-rows.ts'
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
  const unset: readonly string[] = given.filter((field) => textOf(call, field) === DEFAULT)
  return withStore(host, async (store) => {
    const { id } = await accountByEmail(store.accounts, email)
    const path = `/api/accounts/${id}` as const
    const own = { store, host }
    if (given.length > 0) {
      const { limits: before, version } = await callOwn({ method: 'get', path, answer: account }, own)
      const after = Object.entries({ ...before, ...setLimitsOnWire(wanted) })
      await callOwn(
        {
          method: 'patch',
          path,
          version,
          body: { limits: Object.fromEntries(after.filter(([name]) => !unset.includes(name))) },
          answer: account,
          done: `The limits of ${email} are changed`,
          says: {
            managed: `${email} comes from the declarative file: change its limits there.`,
            version_mismatch: `The account ${email} was changed meanwhile: try again.`,
          },
        },
        own,
      )
    }
    const { limits } = await callOwn({ method: 'get', path: `${path}/limits`, answer: limitsReport }, own)
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
function wantedBy(call: Invocation, given: readonly Field[]): SetLimits {
  const set = given.filter((field) => textOf(call, field) !== DEFAULT)
  const sent = Object.fromEntries(
    set.map((field) => [field, textOf(call, field) === NONE ? null : valueOf(call, field)]),
  )
  const parsed = accountLimits().safeParse(sent)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const field = FIELDS.find((each) => each === issue?.path[0]) ?? 'spend'
  const text = JSON.stringify(textOf(call, field))
  throw new UsageError(`--${flagOf(field)} is ${text}, but it ${mustBe(issue?.message ?? '')}, ${NONE} or ${DEFAULT}.`)
}

function valueOf(call: Invocation, field: Field): unknown {
  if (field !== 'spend') return call.text(flagOf(field))
  return call.list('spend')?.map((limit) => ({ window: limit.split('=')[0], usd: limit.split('=')[1] }))
}

function textOf(call: Invocation, field: Field): string {
  return call.list(flagOf(field))?.join(',') ?? call.text(flagOf(field)) ?? ''
}
