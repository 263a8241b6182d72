import type { Account } from '../../../access/account.ts'
import { hashPassword } from '../../../access/password.ts'
import {
  linkBodySchema,
  type SetUpBody,
  setUpBodySchema,
  setUpPreviewSchema,
  signInAnswerSchema,
} from '../../../contract/sign-in.ts'
import { fieldProblem } from '../../problem.ts'
import { type ApiRoute, routesOf } from '../../api/route.ts'
import { guarded } from '../../sign-in/credentials/credentials.ts'
import { adminOfSetUpLink, useSetUpLink } from '../../sign-in/links/set-up-link.ts'
import type { SignInParts } from '../../sign-in/parts.ts'
import { emailTaken } from '../../sign-in/problems.ts'
import { beginSession } from '../../sign-in/session/begin-session.ts'
import { changing } from '../../sign-in/session/changing.ts'
import { addressManaged } from './email-routes.ts'
import { beginningRequest, signInRequest } from './sign-in-call.ts'

const route = routesOf('Sign-in')

const previewSetUp = route('post /api/auth/set-up/preview', {
  summary: 'Read what the setup link asks for, without using it',
  who: 'anyone',
  body: linkBodySchema,
  answer: setUpPreviewSchema,
  problems: ['link_invalid', 'credential_throttled'],
  async handle(call, controlParts) {
    const request = await signInRequest(call, controlParts)
    const { parts } = request
    const admin = await guarded(request, { email: null }, () => adminOfSetUpLink(parts, call.body.token))
    return { email: admin.email, must_choose: !parts.wantsDemo }
  },
})

const setUp = route('post /api/auth/set-up', {
  summary: 'Become the first admin by the link that the first start printed',
  who: 'anyone',
  body: setUpBodySchema,
  answer: signInAnswerSchema,
  problems: ['link_invalid', 'email_taken', 'managed', 'credential_throttled', 'sign_in_address'],
  async handle(call, controlParts) {
    const request = await beginningRequest(call, controlParts)
    const { parts } = request
    const { token, email, password, name } = call.body
    const admin = await guarded(request, { email: null }, () => adminOfSetUpLink(parts, token))
    requireChoice(call.body, admin, parts)
    await refuseTaken(parts, { email, admin })
    const passwordHash = password === undefined ? null : await hashPassword(password)
    await changing(request, async (inside, record) => {
      await useSetUpLink(inside, { token, admin })
      if (email !== undefined || passwordHash !== null) {
        await inside.accounts.updateCredentials(admin.id, {
          ...(email === undefined ? {} : { email }),
          ...(passwordHash === null ? {} : { passwordHash }),
        })
      }
      if (name !== undefined) await inside.accounts.updateProfile(admin.id, { name })
      await record({ kind: 'set_up_used', accountId: admin.id })
    })
    return beginSession(request, { accountId: admin.id, beganBy: 'set_up' })
  },
})

/** Routes of the one-time link that the first start prints, whose holder becomes the first admin. */
export const setUpRoutes: readonly ApiRoute[] = [previewSetUp, setUp]

function requireChoice({ email, password }: SetUpBody, admin: Account, { wantsDemo }: SignInParts): void {
  if (wantsDemo || admin.isManaged) return
  const missing = email === undefined ? 'email' : password === undefined ? 'password' : null
  if (missing === null) return
  throw fieldProblem(missing, `Choose an email address and a password: "${missing}" is missing.`)
}

async function refuseTaken(
  { accounts }: SignInParts,
  { email, admin }: { readonly email: string | undefined; readonly admin: Account },
): Promise<void> {
  if (email === undefined || email.toLowerCase() === admin.email.toLowerCase()) return
  if (admin.isManaged) throw addressManaged()
  if ((await accounts.findByEmail(email)) !== null) throw emailTaken('choose another one')
}
