import { closedAddress } from '../../access/account.ts'
import { account } from '../../contract/accounts.ts'
import { accountByEmail } from './account-commands.ts'
import type { CommandRun } from './command.ts'
import { callOwn } from './own-routes.ts'
import { readOperands } from './read-value.ts'
import { withStore } from './with-installation.ts'

/**
 * Ends everything that an account can be used by, and takes away what says whose it was. Its balance, ledger and records stay,
 * under its id: the books go on being provable.
 */
export const closeAccount: CommandRun = (call, host) => {
  const [email] = readOperands(call, { words: 'account close', names: ['EMAIL'] })
  return withStore(host, async (store) => {
    const { id } = await accountByEmail(store.accounts, email)
    const closed = await callOwn(
      {
        method: 'post',
        path: `/api/accounts/${id}/close`,
        answer: account,
        done: `The account ${id} is closed`,
        says: {
          managed: `The account ${email} comes from the declarative file: remove it there first.`,
          last_admin: 'This is the last active admin: give another account the role admin first.',
          conflict: `The account ${email} is closed already.`,
        },
      },
      { store, host },
    )
    host.print(`Closed: ${id}. Its keys are deleted; its ledger and records stay, without its address.\n`)
    // What is left is not taken: whether it is paid back is for people to decide.
    if (!/^-|^0$/.test(closed.balance))
      host.remark(`It still has a balance: "tollgate account ledger ${closedAddress(id)}" shows it.\n`)
    return 0
  })
}
