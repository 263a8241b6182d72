import { z } from 'zod'
import type { ApiKey, KeyStatus } from '../../access/api-key.ts'
import { groupNames } from '../../access/group.ts'
import { keysBulkAnswer } from '../../contract/keys.ts'
import { readStatuses } from '../../entitlement/key-status.ts'
import type { Store } from '../../store/store.ts'
import { accountByEmail } from './account-commands.ts'
import type { Invocation, CommandRun } from './command.ts'
import { callOwn } from './own-routes.ts'
import { LISTED, printRows } from './print-rows.ts'
import { withStore } from './with-installation.ts'
import { CommandFailure, type CliHost, UsageError } from './cli-host.ts'
import { settingsOnWire } from '../../access/key-settings.ts'

export const listKeys: CommandRun = (call, host) =>
  withStore(host, async (store) => {
    const email = call.text('account')
    const account = email === null ? {} : { accountId: (await accountByEmail(store.accounts, email)).id }
    const keys = await store.keys.list({ ...account, includeDeleted: call.has('all'), limit: LISTED })
    const rows = await keysOnWire(keys, store, host.nowMs())
    return printRows(
      rows,
      {
        ID: 'id',
        ACCOUNT: 'account',
        NAME: 'name',
        GROUP: 'group',
        STATUS: 'status',
        SECRET: (row) => `${row.secret_start}…${row.secret_end}`,
        EXPIRES: (row) => row.expires_at ?? 'never',
      },
      { call, host },
    )
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
      const which = `Key ${key.name} (${key.id})`
      if (key.status === 'deleted') throw new CommandFailure(`${which} is already deleted, which cannot be undone.`)
      const done = `${which} is ${STATUS_AFTER[verb]}`
      if (verb === 'delete') await deleteKey(key, { store, host, done })
      else {
        const [failure] = (
          await callOwn(
            {
              method: 'post',
              path: '/api/keys/bulk',
              body: { ids: [key.id], action: verb },
              answer: keysBulkAnswer,
              done,
            },
            { store, host },
          )
        ).failed
        if (failure?.code === 'managed') throw new CommandFailure(disabledByFile(which))
        if (failure !== undefined) throw new CommandFailure(failure.detail)
      }
      host.print(`${done}.\n`)
      if (key.isManaged && verb === 'disable') host.remark(STAYS_DISABLED)
      return 0
    })
}

async function deleteKey(
  { id, name }: ApiKey,
  { done, ...own }: { readonly store: Store; readonly host: CliHost; readonly done: string },
): Promise<void> {
  const managed = `Key ${name} (${id}) comes from the declarative file: take it out there and apply the file (tollgate apply), then delete it. "tollgate key disable" stops it at once.`
  await callOwn({ method: 'delete', path: `/api/keys/${id}`, answer: z.undefined(), done, says: { managed } }, own)
}

function disabledByFile(which: string): string {
  return `The declarative file disables ${which}: enable it there, and apply it (tollgate apply).`
}

async function namedKey(call: Invocation, store: Store): Promise<ApiKey> {
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
    return {
      id: key.id,
      account_id: key.accountId,
      account: emails.get(key.accountId) ?? key.accountId,
      ...settingsOnWire(key, group),
      status,
      secret_start: key.secretStart,
      secret_end: key.secretEnd,
      created_at: new Date(key.createdAt).toISOString(),
      managed: key.isManaged,
      playground: key.isForPlayground === true,
    }
  })
}
