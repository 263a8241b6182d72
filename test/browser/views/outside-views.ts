import { totpCode } from '../../support/totp-code.ts'
import { arrives, content, fill, press, reads } from '../reading.ts'
import { type View, type World } from './view.ts'

const outside = (name: string, path: View['path'], show: View['show']): View => ({ name, path, show, as: 'signed_out' })

export const OUTSIDE: readonly View[] = [
  outside('sign-in', '/sign-in', async (at, { outside: t }) => {
    await at.getByRole('button', { name: t.signIn.passkey }).waitFor()
    await press(at, t.signIn.action)
  }),
  outside('second step', '/sign-in', async (at, { outside: t }, { place }) => {
    const grace = await place.person()
    const { body } = await grace.ask('POST', '/api/auth/totp/start')
    await grace.ask('POST', '/api/auth/totp/finish', { code: totpCode(body.secret) })
    await fill(at, t.email, grace.email)
    await fill(at, t.password, grace.password)
    await press(at, t.signIn.action)
    await arrives(at, t.secondStep.title)
  }),
  outside('register', '/register', (at, { outside: t }) => reads(content(at), t.register.closed)),
  outside(
    'set-up',
    async ({ place }) => place.setUpLink.slice(`${place.origin}/console`.length),
    (at, { outside: t }) => at.getByRole('button', { name: t.setUp.actionDemo, exact: true }).waitFor(),
  ),
  outside('set-up, half a link', '/set-up', (at, { outside: t }) => reads(content(at), t.linkMissing.title)),
  outside(
    'invitation',
    async ({ place }) => linkPath((await place.admin('POST', '/api/invitations', { email: null })).body.url),
    (at, { outside: t }) => at.getByRole('button', { name: t.invitation.action }).waitFor(),
  ),
  outside('forgotten password', '/reset-password', (at, { outside: t }) => arrives(at, t.reset.askTitle)),
  outside(
    'new password',
    async ({ place, ada }) => linkPath((await place.admin('POST', `/api/accounts/${ada.id}/reset-link`)).body.url),
    (at, { outside: t }) => at.getByRole('button', { name: t.reset.action }).waitFor(),
  ),
  outside('email address', '/verify-email#token=0123456789012345678901234', (at, { problems }) =>
    reads(content(at), problems.link_invalid),
  ),
  outside('public prices', turnedOn('/prices'), (at) =>
    at.getByRole('button', { name: 'demo/echo', exact: true }).waitFor(),
  ),
  outside('public status', turnedOn('/status'), (at, { public: t }) =>
    at.getByRole('region', { name: t.status.incidents }).waitFor(),
  ),
  outside(
    'public check of a key',
    async ({ place, ada }) => {
      const limits = { quota_limit: '5', rate_limit: { requests_per_minute: 60 } }
      const { body } = await ada.ask('POST', '/api/keys', { name: 'checked', group: 'default', ...limits })
      checked = body.secret
      return turnedOn('/check-key')({ place })
    },
    async (at, { public: t }) => {
      await fill(at, t.check.key, checked)
      await press(at, t.check.action)
      await at.getByRole('region', { name: t.check.limits }).waitFor()
    },
  ),
]

/** The token of the key that is checked. */
let checked = ''

function turnedOn(path: string) {
  return async ({ place }: Pick<World, 'place'>): Promise<string> => {
    await place.admin('PATCH', '/api/settings', { public_models: true, public_status: true, public_key_check: true })
    return path
  }
}

function linkPath(link: string): string {
  const url = new URL(link)
  return url.pathname.slice('/console'.length) + url.hash
}
