import type { Me } from '../../src/contract/me.ts'

/** What an invitation makes of who opens it. */
const LEADS: Readonly<Record<Me['role'], string>> = {
  user: 'Create your account to create API keys and call models.',
  auditor: 'Create your account. You’ll see everything and change nothing.',
  operator: 'Create your account. You’ll run upstreams, models and groups.',
  finance: 'Create your account. You’ll look after balances, plans, codes and prices.',
  admin: 'Create your account. You’ll be an admin.',
}

/** Everything before signing in. */
export const texts = {
  email: 'Email',
  password: 'Password',
  newPassword: 'New password',
  name: 'Name',
  emailInvalid: 'Enter a valid email address.',
  backToSignIn: 'Back to sign-in',
  linkMissing: {
    title: 'The link is incomplete',
    text: 'Its verification part is missing. Open the full link again; reloading the page removes that part.',
  },
  signIn: {
    title: 'Sign in',
    signedOut: (page: string) => `You were signed out. Sign in to go back to ${page}.`,
    keep: 'Stay signed in',
    action: 'Sign in',
    forgot: 'Forgot password?',
    passkey: 'Sign in with a passkey',
    oidc: (name: string) => `Continue with ${name}`,
    or: 'or',
    register: 'Create an account',
    registerLead: 'New here?',
    byInvitation: 'Sign-up is by invitation only. Ask an admin for a link.',
    closed: 'Accounts are created by an admin.',
  },
  publicPages: {
    navigation: 'Public pages',
    pages: { models: 'Prices', status: 'Status', key_check: 'Check a key' },
  },
  secondStep: {
    title: 'One more step',
    lead: 'Enter the six-digit code from your authenticator app.',
    leadBackup: 'Enter one of your backup codes. Each works once.',
    code: 'Code',
    backupCode: 'Backup code',
    trust: 'Don’t ask again on this device for 30 days',
    action: 'Continue',
    useBackup: 'Use a backup code instead',
    useApp: 'Use the authenticator app instead',
    startAgain: 'Start over',
  },
  setUp: {
    title: 'Set up Tollgate',
    lead: 'This is your one-time setup link. Choose how the first admin signs in.',
    leadDemo: 'This is your one-time setup link. Continue now and choose a password later, or choose one now.',
    action: 'Create admin and continue',
    actionDemo: 'Continue',
    choose: 'Choose email and password now',
    chooseHint: (email: string) => `Until then, your account is ${email}.`,
  },
  register: {
    title: 'Create an account',
    action: 'Create account',
    haveAccount: 'Already have an account?',
    closed: 'Sign-ups are closed. Ask an admin for an account or an invitation.',
  },
  invitation: {
    title: 'You’re invited',
    lead: (role: Me['role']): string => LEADS[role],
    validUntil: (date: string) => `The invitation is valid until ${date}.`,
    credit: (amount: string) => `You start with ${amount} of credit.`,
    plan: (name: string, days: number) => `The plan ${name} is included for ${days} ${days === 1 ? 'day' : 'days'}.`,
    fixedEmail: 'The invitation is for this address only.',
    action: 'Create account',
  },
  reset: {
    title: 'New password',
    askTitle: 'Forgot your password?',
    askLead: 'Enter your email. If it belongs to an account, we’ll send you a link to choose a new password.',
    askAction: 'Send link',
    sent: {
      title: 'Check your inbox',
      text: 'If the email belongs to an account, a link is on its way. It’s valid for one hour.',
    },
    byAdmin: {
      title: 'Ask an admin',
      text: 'This server can’t send email. An admin can create a link for you.',
    },
    lead: 'Choose a new password. You’ll be signed out on every device.',
    action: 'Set password',
    done: { title: 'Password changed', text: 'Sign in with your new password.' },
  },
  verify: {
    title: 'Email address',
    checking: 'Checking the link…',
    done: (email: string) => `${email} is confirmed.`,
    goOn: 'Go to the console',
  },
}
