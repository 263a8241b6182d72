import type { ApiKey, KeyStatus } from '../../access/api-key.ts'
import { isDisabledByFile } from '../../access/declared-status.ts'
import { groupNames } from '../../access/group.ts'
import { keyDeleted, keyStatusSet } from '../../control/audit/key-notes.ts'
import { readStatuses } from '../../entitlement/key-status.ts'
import type { Store } from '../../store/store.ts'
import { accountByEmail } from './account-commands.ts'
import { changeByCli } from './change-by-cli.ts'
import type { Call, CommandRun } from './command.ts'
import { reachNodes } from './reach-nodes.ts'
import { textTable } from './text-table.ts'
import { keyOnWire } from './wire-forms.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure, UsageError } from './cli-host.ts'

const LISTED = 1000

export const listKeys: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const email = call.text('account')
    const account = email === null ? {} : { accountId: (await accountByEmail(store.accounts, email)).id }
    const keys = await store.keys.list({ ...account, includeDeleted: call.has('all'), limit: LISTED })
    const rows = await keysOnWire(keys, store, host.nowMs())
    if (call.has('json')) {
      host.print(`${JSON.stringify(rows)}\n`)
      return 0
    }
    const cells = rows.map((row) => [
      row.id,
      row.account,
      row.name,
      row.group,
      row.status,
      `${row.secret_start}…${row.secret_end}`,
      row.expires_at ?? 'never',
    ])
    host.print(textTable([['ID', 'ACCOUNT', 'NAME', 'GROUP', 'STATUS', 'SECRET', 'EXPIRES'], ...cells]))
    if (keys.length === LISTED) host.remark(`Only the newest ${LISTED} are shown.\n`)
    return 0
  })

const STATUS_AFTER = { disable: 'disabled', enable: 'active', delete: 'deleted' } as const satisfies Record<
  string,
  KeyStatus
>

/** Once the file is applied again (decision 0039). */
const STAYS_DISABLED =
  'It is in the declarative file. It stays disabled when that is applied again, until the file says anew that it is active.\n'

/** The command `key disable`, `key enable` or `key delete`. */
export function setKeyStatus(verb: keyof typeof STATUS_AFTER): CommandRun {
  return (call, host) =>
    withStore(host, async (store) => {
      const key = await namedKey(call, store)
      await requireMay(verb, key, store)
      const status = STATUS_AFTER[verb]
      const nowMs = host.nowMs()
      const change = await changeByCli({ store, nowMs }, async ({ keys, groups }, audit) => {
        const changed = await keys.setStatus(key.id, status, nowMs)
        if (changed === null)
          throw new CommandFailure(`Key ${key.name} (${key.id}) is already deleted, which cannot be undone.`)
        await audit(status === 'deleted' ? keyDeleted(key, await groups.groups()) : keyStatusSet(key, status))
        return changed
      })
      await reachNodes(change.seq, { store, host, done: `Key ${key.name} (${key.id}) is ${status}` })
      host.print(`Key ${key.name} (${key.id}) is ${status}.\n`)
      if (key.isManaged && verb === 'disable') host.remark(STAYS_DISABLED)
      return 0
    })
}

/** Of a key from the declarative file, what the API takes as well. */
async function requireMay(verb: keyof typeof STATUS_AFTER, key: ApiKey, store: Store): Promise<void> {
  const which = `Key ${key.name} (${key.id})`
  if (verb === 'enable' && (await isDisabledByFile(key, store.settings))) {
    throw new CommandFailure(`The declarative file disables ${which}: enable it there, and apply it (tollgate apply).`)
  }
  if (verb === 'delete' && key.isManaged && key.status !== 'deleted') {
    throw new CommandFailure(
      `${which} comes from the declarative file: take it out there and apply the file (tollgate apply), then delete it. "tollgate key disable" stops it at once.`,
    )
  }
}

async function namedKey(call: Call, store: Store): Promise<ApiKey> {
  const [id, ...more] = call.operands
  const name = call.text('name')
  if (more.length > 0) throw new UsageError('Give one key at a time.')
  if ((id === undefined) === (name === null)) throw new UsageError('Give the id of the key, or --name and its name.')
  if (id !== undefined) return keyById(id, store)
  const email = call.text('account')
  const account = email === null ? {} : { accountId: (await accountByEmail(store.accounts, email)).id }
  const keys = await store.keys.list({ ...account, limit: LOOKED_THROUGH })
  const matching = keys.filter((key) => key.name === name)
  const [only, ...others] = matching
  if (only === undefined)
    throw new CommandFailure(`There is no key named ${JSON.stringify(name)}: see "tollgate key list".`)
  if (others.length > 0) {
    throw new CommandFailure(
      `Several keys have that name: give one of the ids ${matching.map((key) => key.id).join(', ')}.`,
    )
  }
  return only
}

const LOOKED_THROUGH = 100_000

async function keyById(id: string, store: Store): Promise<ApiKey> {
  if (id.startsWith('sk-'))
    throw new UsageError('Give the id of the key (key_…), not its secret; see "tollgate key list".')
  const key = await store.keys.findById(id)
  if (key === null) throw new CommandFailure(`There is no key ${id}: see "tollgate key list".`)
  return key
}

/** Keys with names in place of ids. */
export async function keysOnWire(keys: readonly ApiKey[], store: Store, nowMs: number) {
  const emails = new Map<string, string>()
  for (const accountId of new Set(keys.map((key) => key.accountId))) {
    emails.set(accountId, (await store.accounts.findById(accountId))?.email ?? accountId)
  }
  const group = groupNames(await store.groups.groups())
  const statuses = await readStatuses(keys, store.budgets, nowMs)
  return keys.map((key, i) => {
    const status = key.status === 'deleted' ? key.status : (statuses[i] ?? key.status)
    return keyOnWire(key, { account: emails.get(key.accountId) ?? key.accountId, group, status })
  })
}
