import type { AccessTokenView, AccessTokenWithSecret } from '../../src/contract/access-tokens.ts'
import type { AlertView, Place } from '../../src/contract/administration.ts'
import type { Me } from '../../src/contract/me.ts'
import type {
  BackupCodes,
  InvitationLook,
  MailAnswer,
  SessionList,
  SessionView,
  SetUpLook,
  SignInAnswer,
  SignInMethods,
  SignInOptions,
  TotpStart,
} from '../../src/contract/sign-in.ts'
import { answer, problem, type MockRoutes } from './mock-route.ts'

const NOW = '2026-11-21T08:30:00Z'
const LATER = '2026-12-21T08:30:00Z'
const CODES = ['4f7k-2m9q', '8w3x-5n1p', '6h2j-9d4r', '1c8v-7b3s', '9t5y-4g6z', '3e1u-8k2a', '7q6m-1x9w', '2p4n-6f5h']

const me: Me = {
  id: 'acc_01kb3v5x2e',
  email: 'ada@example.test',
  name: 'Ada Lindqvist',
  role: 'user',
  status: 'active',
  language: null,
  theme: 'system',
  email_verified: true,
  has_password: true,
  two_factor_enabled: false,
  signed_in_at: NOW,
  balance: '42.180354',
  held: '0.0125',
  created_at: '2026-08-02T10:00:00Z',
  notifications: { mail: true, can_mail: true },
}

const session: SessionView = {
  id: 'ses_1',
  created_at: '2026-11-20T07:12:00Z',
  expires_at: LATER,
  last_seen_at: NOW,
  fresh_until: LATER,
  client:
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  address: '192.168.1.20',
  is_current: true,
}

const signedIn: SignInAnswer = {
  state: 'signed_in',
  session,
  account: {
    id: me.id,
    email: me.email,
    name: me.name,
    role: 'user',
    is_email_verified: true,
    has_password: true,
    language: null,
  },
}

const methods: SignInMethods = {
  has_password: true,
  totp: { is_on: false, backup_codes_left: null },
  passkeys: [{ id: 'pk_1', name: 'Laptop', created_at: '2026-10-01T10:00:00Z', is_synced: true }],
  oidc: null,
}

const token: AccessTokenView = {
  id: 'pat_1',
  name: 'Nightly report',
  secret_start: 'tg-pat-Qk3',
  secret_end: '9fXe',
  scope: 'read',
  created_at: '2026-09-14T12:00:00Z',
  expires_at: LATER,
  last_used_at: NOW,
}

const alert: AlertView = {
  id: 'alt_1',
  created_at: NOW,
  kind: 'key_quota',
  subject_id: 'key_1',
  subject_name: 'laptop',
  percent: 80,
  limit: '10',
  used: '8.013',
  resets_at: LATER,
  deliveries: [
    { way: 'mail', delivered_at: NOW, failed: false },
    { way: 'webhook', delivered_at: null, failed: true },
  ],
}

const lowBalance: Partial<AlertView> = {
  id: 'alt_2',
  kind: 'low_balance',
  subject_name: 'ada@example.test',
  percent: null,
  limit: '5',
  used: '4.2',
  deliveries: [{ way: 'mail', delivered_at: null, failed: false }],
}

/** Signing in, and everything of the own account. */
export const mockAccess: MockRoutes = {
  'GET /api/place': () =>
    answer<Place>({
      site_name: 'Tollgate',
      registration: 'open',
      origin: 'http://127.0.0.1:8787',
      can_mail: true,
      oidc: { name: 'Example ID' },
      passkeys_unavailable: null,
      top_up_url: 'https://pay.example.test/top-up',
      demo: true,
      version: '0.1.0',
    }),
  'GET /api/auth/options': () =>
    answer<SignInOptions>({
      registration: 'open',
      has_mail_server: true,
      oidc: { name: 'Example ID' },
      passkeys: { impossible_because: null },
      password: { shortest: 8, longest: 128 },
    }),
  'POST /api/auth/sign-in': ({ body, state }) => {
    const { email, password } = body as { email: string; password: string }
    if (password === 'wrong password') return problem(401, 'credentials_wrong')
    if (email.startsWith('two')) return answer<SignInAnswer>({ state: 'second_step', ways: ['totp', 'backup_code'] })
    state.isSignedIn = true
    return answer<SignInAnswer>(signedIn)
  },
  'POST /api/auth/second-step': ({ body, state }) => {
    if ((body as { code: string }).code === '000000') return problem(401, 'second_step_wrong', 'code')
    state.isSignedIn = true
    return answer<SignInAnswer>(signedIn)
  },
  'POST /api/auth/sign-out': ({ state }) => {
    state.isSignedIn = false
    return {}
  },
  'POST /api/auth/sign-out-everywhere': () => ({}),
  'POST /api/auth/confirm': () => answer({ session, account: signedIn.account }),
  'GET /api/auth/sessions': () =>
    answer<SessionList>({
      data: [
        session,
        {
          ...session,
          id: 'ses_2',
          is_current: false,
          address: '10.0.0.4',
          client:
            'Mozilla/5.0 (iPhone; CPU iPhone OS 19_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.1 Mobile/15E148 Safari/604.1',
        },
      ],
    }),
  'DELETE /api/auth/sessions/:id': () => ({}),
  'POST /api/auth/set-up/look': () => answer<SetUpLook>({ email: 'admin@localhost', must_choose: true }),
  'POST /api/auth/set-up': () => answer<SignInAnswer>(signedIn),
  'POST /api/auth/invitation/look': ({ body }) =>
    (body as { token: string }).token.startsWith('used')
      ? problem(410, 'link_invalid')
      : answer<InvitationLook>({ email: 'grace@example.test', role: 'user', expires_at: LATER }),
  'POST /api/auth/sign-up': ({ body }) =>
    (body as { email: string }).email.startsWith('taken')
      ? problem(409, 'email_taken', 'email')
      : answer<SignInAnswer>(signedIn),
  'POST /api/auth/password/forgot': () => answer<MailAnswer>({ sent_by: 'mail' }, 202),
  'POST /api/auth/password/reset': () => ({}),
  'POST /api/auth/password/change': () => ({}),
  'POST /api/auth/email/verify': ({ body }) =>
    (body as { token: string }).token.startsWith('used')
      ? problem(410, 'link_invalid')
      : answer({ email: 'ada@example.test' }),
  'POST /api/auth/email/send': () => answer<MailAnswer>({ sent_by: 'mail' }, 202),
  'POST /api/auth/email/change': () => answer<MailAnswer>({ sent_by: 'admin' }, 202),
  'GET /api/auth/methods': () => answer<SignInMethods>(methods),
  'POST /api/auth/totp/start': () =>
    answer<TotpStart>({
      uri: 'otpauth://totp/Tollgate:ada%40example.test?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Tollgate',
      secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
      backup_codes: CODES,
    }),
  'POST /api/auth/totp/finish': ({ body }) =>
    (body as { code: string }).code === '000000'
      ? problem(401, 'second_step_wrong', 'code')
      : answer<SignInMethods>({ ...methods, totp: { is_on: true, backup_codes_left: 8 } }),
  'POST /api/auth/totp/stop': () => problem(403, 'confirmation_needed'),
  'POST /api/auth/totp/backup-codes': () => answer<BackupCodes>({ backup_codes: CODES }),
  'POST /api/auth/oidc/start': () => answer({ url: 'http://127.0.0.1/oidc' }),
  'DELETE /api/auth/oidc': () => answer<SignInMethods>(methods),
  'POST /api/auth/passkeys/register/start': () => problem(403, 'confirmation_needed'),
  'DELETE /api/auth/passkeys/:id': () => answer<SignInMethods>({ ...methods, passkeys: [] }),
  'GET /api/me': () => answer<Me>(me),
  'PATCH /api/me': ({ body }) => answer<Me>({ ...me, ...(body as Partial<Me>) }),
  'GET /api/tokens': ({ state }) => answer({ data: state.isEmpty ? [] : [token], next_cursor: null }),
  'POST /api/tokens': () =>
    answer<AccessTokenWithSecret>({ token, secret: 'tg-pat-Qk3vN8bYz2LxWd7RmHt5JcPq4FsUaE9gKoi1B09fXe' }, 201),
  'DELETE /api/tokens/:id': () => ({}),
  'GET /api/alerts': ({ state }) =>
    answer<{ data: AlertView[]; next_cursor: string | null }>({
      data: state.isEmpty ? [] : [alert, { ...alert, ...lowBalance }],
      next_cursor: null,
    }),
}
