/** Everything before signing in. */
export const outsideEn = {
  email: 'E-mail',
  password: 'Password',
  newPassword: 'New password',
  name: 'Name',
  passwordHint: (shortest: number) =>
    `At least ${shortest} characters. A few words you can remember are better than a riddle.`,
  passwordTooShort: (shortest: number) => `Too short: at least ${shortest} characters.`,
  emailInvalid: 'That is not an e-mail address.',
  backToSignIn: 'Back to sign-in',
  linkMissing: {
    title: 'The link is incomplete',
    text: 'Its secret part is missing. Open the whole link again; a page that was loaded twice has lost it.',
  },
  linkInvalid: { title: 'This link does not work' },
  signIn: {
    title: 'Sign in',
    keep: 'Stay signed in',
    action: 'Sign in',
    forgot: 'Forgot password?',
    passkey: 'Sign in with a passkey',
    oidc: (name: string) => `Continue with ${name}`,
    or: 'or',
    passkeysNeedHttps: 'Passkeys need https or localhost. At this address sign in with your password.',
    passkeysNeedName: 'Passkeys need an address with a name. At this IP address sign in with your password.',
    passkeysNotInBrowser: 'This browser can’t use passkeys.',
    register: 'Create an account',
    registerLead: 'New here?',
    byInvitation: 'New accounts are by invitation: ask an admin for a link.',
    closed: 'Accounts are made by an admin here.',
  },
  secondStep: {
    title: 'One more step',
    lead: 'Enter the six digits that your authenticator app shows now.',
    leadBackup: 'Enter one of your backup codes. Each works once.',
    code: 'Code',
    backupCode: 'Backup code',
    trust: 'Don’t ask again on this device for 30 days',
    action: 'Continue',
    useBackup: 'Use a backup code instead',
    useApp: 'Use the authenticator app instead',
    startAgain: 'Start again',
  },
  setUp: {
    title: 'Set up Tollgate',
    lead: 'You hold the one-time link of this installation. Choose how its first admin signs in.',
    leadDemo:
      'You hold the one-time link of this installation, and can go straight in. Choose a password now or later.',
    action: 'Create admin and go in',
    actionDemo: 'Go in',
    choose: 'Choose e-mail and password now',
    chooseHint: (email: string) => `until then: ${email}`,
  },
  register: {
    title: 'Create an account',
    action: 'Create account',
    haveAccount: 'You have an account?',
    closed: 'Nobody can register here. Ask an admin for an account or an invitation.',
  },
  invitation: {
    title: 'You are invited',
    lead: (role: 'user' | 'admin'): string =>
      role === 'admin'
        ? 'Create your account. It will be an admin’s.'
        : 'Create your account to make keys and call models.',
    validUntil: (date: string) => `The invitation is valid until ${date}.`,
    fixedEmail: 'The invitation is for this address.',
    action: 'Create account',
  },
  reset: {
    title: 'New password',
    askTitle: 'Forgot your password?',
    askLead: 'Enter your e-mail. If there is an account with it, you get a link to choose a new password.',
    askAction: 'Send link',
    sent: {
      title: 'Look into your mailbox',
      text: 'If there is an account with this e-mail, a link is on its way. It works for an hour.',
    },
    byAdmin: {
      title: 'Ask an admin',
      text: 'This installation sends no mail. An admin can make a link for you and hand it over.',
    },
    lead: 'Choose a new password. All your sessions end, on every device.',
    action: 'Set password',
    done: { title: 'Your password is changed', text: 'Sign in with the new one.' },
  },
  verify: {
    title: 'E-mail address',
    checking: 'Checking the link…',
    done: (email: string) => `${email} is confirmed.`,
    goOn: 'Go to the console',
  },
}

export type OutsideTexts = typeof outsideEn
