import { content, press, reads } from '../reading.ts'
import { dialog, page, type View } from './view.ts'

export const ACCOUNT: readonly View[] = [
  page('account', '/account', (at, { account }) => reads(content(at), account.appearance.title)),
  page('account, security', '/account?section=security', (at, { account }) =>
    at.getByRole('button', { name: account.totp.turnOn }).waitFor(),
  ),
  page('account, two-step dialog', '/account?section=security', async (at, { account }) => {
    await press(at, account.totp.turnOn)
    await dialog(at, account.totp.dialogTitle)
  }),
  page('account, passkey dialog', '/account?section=security', async (at, { account }) => {
    await press(at, account.passkeys.add)
    await dialog(at, account.passkeys.nameTitle)
  }),
  page('account, access tokens', '/account?section=tokens', async (at, { account }) => {
    await press(at, account.tokens.create)
    await dialog(at, account.tokens.create)
  }),
  page('account, alerts', '/account?section=notifications', (at, { account }) =>
    reads(content(at), account.notifications.none),
  ),
  page('account menu', '/account', async (at, { shared }, { ada }) => {
    await at.getByRole('button', { name: shared.accountMenu(ada.email) }).click()
    await at.getByRole('menuitem', { name: shared.signOut }).waitFor()
  }),
  page('no such page', '/nowhere', (at, { shared }) =>
    at.getByRole('link', { name: shared.notFound.action }).waitFor(),
  ),
]
