import { type Account, closedAddress } from '../../access/account.ts'
import { hashPassword } from '../../access/password.ts'
import { accountClosed } from '../../control/audit/account-notes.ts'
import { type CloseAnswer, closeAccount as close } from '../../control/accounts/close-account.ts'
import type { Store } from '../../store/store.ts'
import { accountByEmail } from './account-commands.ts'
import { changeByCli } from './change-by-cli.ts'
import { CommandFailure } from './cli-host.ts'
import type { CommandRun } from './command.ts'
import { reachNodes } from './reach-nodes.ts'
import { readOperands } from './read-value.ts'
import { withStore } from './with-installation.ts'

/**
 * Ends everything that an account can be used by, and takes away what says whose it was. Its balance, ledger and records stay,
 * under its id: the books go on being provable.
 */
export const closeAccount: CommandRun = (call, host) => {
  const [email] = readOperands(call, { words: 'account close', names: ['EMAIL'] })
  return withStore(host, async (store) => {
    const account = await accountByEmail(store.accounts, email)
    // One that no one knows. Hashing takes too long for a transaction.
    const password = await hashPassword(host.randomBytes(32).toString('base64url'))
    const nowMs = host.nowMs()
    const { seq } = await changeByCli({ store, nowMs }, async (stores, audit) => {
      const done = explained(await close(stores, { id: account.id, password, nowMs }), account)
      await audit(accountClosed(account.id, done))
      return done
    })
    await reachNodes(seq, { store, host, done: `The account ${account.id} is closed` })
    host.print(`Closed: ${account.id}. Its keys are deleted; its ledger and records stay, without its address.\n`)
    return sayBalance(store, { account, host })
  })
}

function explained(answer: CloseAnswer, { email }: Account): Extract<CloseAnswer, { kind: 'closed' }> {
  switch (answer.kind) {
    case 'closed':
      return answer
    case 'managed':
      throw new CommandFailure(`The account ${email} comes from the declarative file: remove it there first.`)
    case 'last_admin':
      throw new CommandFailure('This is the last active admin: give another account the role admin first.')
    case 'closed_before':
      throw new CommandFailure(`The account ${email} is closed already.`)
    case 'unknown':
      throw new CommandFailure(`The account ${email} was changed meanwhile: try again.`)
  }
}

/** What is left is not taken: whether it is paid back is for people to decide. */
async function sayBalance(
  store: Store,
  { account, host }: { readonly account: Account; readonly host: Parameters<CommandRun>[1] },
): Promise<number> {
  const balance = await store.ledger.balance(account.id)
  if (balance > 0n)
    host.remark(`It still has a balance: "tollgate account ledger ${closedAddress(account.id)}" shows it.\n`)
  return 0
}
