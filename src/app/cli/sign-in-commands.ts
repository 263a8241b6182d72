import type { Account, AccountStore } from '../../access/account.ts'
import { accountLinkMade } from '../../control/audit/account-notes.ts'
import { createLogger } from '../../core/log.ts'
import { systemClock } from '../../core/clock.ts'
import { readEnvironment } from '../installation/environment.ts'
import { listeningOrigin, reachable } from '../server/gateway-origin.ts'
import { joinSignIn, providerNetwork } from '../server/join-sign-in.ts'
import { accountByEmail } from './account-commands.ts'
import { auditedChange } from '../audited-change.ts'
import type { CommandRun } from './command.ts'
import { withInstallation } from './with-installation.ts'
import { CommandFailure } from './cli-host.ts'
import { tryProvider } from '../../control/sign-in.ts'

/**
 * A one-time link for choosing a new password: for people who are locked out, the only admin too. An admin who may run
 * this has the installation's secret, and so could read everything anyway.
 */
export const makeSignInLink: CommandRun = (call, host) =>
  withInstallation(host, async ({ store, controlHashes }) => {
    const settings = readEnvironment(host.environment)
    const email = call.text('email')
    const account = email === null ? await onlyAdmin(store.accounts) : await accountByEmail(store.accounts, email)
    const log = createLogger('fatal')
    const signIn = joinSignIn({ settings, store, keys: controlHashes.signIn, clock: systemClock, log })
    const origin = settings.publicUrl ?? reachable(listeningOrigin(settings.host, settings.port))
    const order = { purpose: 'reset', accountId: account.id, byAccountId: null, origin } as const
    const url = await auditedChange({ store, nowMs: host.nowMs() }, async (stores, audit) => {
      const link = await signIn.createLink(order, stores)
      if (link?.url == null) throw new CommandFailure(`No link could be made for ${account.email}.`)
      await audit(accountLinkMade(account.id, 'account.reset_link'))
      return link.url
    })
    host.print(
      `Opening this link lets its reader choose a new password for ${account.email}. It works once:\n  ${url}\n`,
    )
    return 0
  })

async function onlyAdmin(accounts: AccountStore): Promise<Account> {
  const listed = await accounts.list(LOOKED_AT)
  const admins = listed.filter(({ role, status }) => role === 'admin' && status === 'active')
  const [only, ...others] = admins
  if (only === undefined) throw new CommandFailure('There is no active admin account: name an account with --email.')
  if (others.length === 0 && listed.length < LOOKED_AT) return only
  throw new CommandFailure(`There are several admins (${named(admins)}): name one with --email.`)
}

const LOOKED_AT = 1000
const NAMED = 5

function named(admins: readonly Account[]): string {
  const names = admins.slice(0, NAMED).map(({ email }) => email)
  return [...names, ...(admins.length > NAMED ? ['…'] : [])].join(', ')
}

/** Tries the OIDC provider of this environment, and says of each part of a sign-in what is wrong and what to do. */
export const testOidc: CommandRun = async (_call, host) => {
  const { oidc, publicUrl } = readEnvironment(host.environment)
  if (oidc === null) {
    throw new CommandFailure(
      'No OIDC provider is set up: set TOLLGATE_OIDC_ISSUER in the environment of this command too.',
    )
  }
  const findings = await tryProvider({
    oidc,
    network: providerNetwork(systemClock),
    clock: systemClock,
    publicOrigin: publicUrl,
    randomBytes: (count) => host.randomBytes(count),
  })
  for (const { about, outcome, sentence } of findings) host.print(`${about}: ${outcome}, ${sentence}\n`)
  return findings.some(({ outcome }) => outcome === 'failed') ? 1 : 0
}
