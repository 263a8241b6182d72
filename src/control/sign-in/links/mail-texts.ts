interface MailedLink {
  readonly purpose: 'invitation' | 'reset' | 'verify'
  readonly url: string
  readonly expiresAt: number
}

/** Subject and text of the mail that brings a link, in the language of its reader. */
export function mailText(
  language: 'en' | 'zh-CN',
  link: MailedLink,
): { readonly subject: string; readonly text: string } {
  const { subject, before, after } = TEXTS[language][link.purpose]
  const until = `${new Date(link.expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return { subject, text: [before, link.url, after.replace('{until}', until), ''].join('\n\n') }
}

interface Text {
  readonly subject: string
  readonly before: string
  readonly after: string
}

const TEXTS: Record<'en' | 'zh-CN', Record<MailedLink['purpose'], Text>> = {
  en: {
    invitation: {
      subject: 'Your invitation to Tollgate',
      before: 'You are invited to open an account. Follow this link and choose a password:',
      after: 'The link works once, until {until}. If you expected no invitation, ignore this mail.',
    },
    reset: {
      subject: 'A new password for Tollgate',
      before: 'A new password was requested for your account. Follow this link to choose one:',
      after: 'The link works once, until {until}. If it was not you, ignore this mail: nothing has changed.',
    },
    verify: {
      subject: 'Confirm your address for Tollgate',
      before: 'Follow this link to confirm that this address is yours:',
      after: 'The link works once, until {until}. If you know nothing of this, ignore this mail.',
    },
  },
  'zh-CN': {
    invitation: {
      subject: 'Tollgate 邀请函',
      before: '有人邀请您开通账户。请打开以下链接并设置密码：',
      after: '此链接仅可使用一次，有效期至 {until}。如果您并未期待收到邀请，忽略本邮件即可。',
    },
    reset: {
      subject: '重设您的 Tollgate 密码',
      before: '有人为您的账户申请了重设密码。请打开以下链接设置新密码：',
      after: '此链接仅可使用一次，有效期至 {until}。如果不是您本人操作，忽略本邮件即可，您的密码不会有任何变化。',
    },
    verify: {
      subject: '确认您的 Tollgate 邮箱地址',
      before: '请打开以下链接，确认这个邮箱地址属于您：',
      after: '此链接仅可使用一次，有效期至 {until}。如果您对此并不知情，忽略本邮件即可。',
    },
  },
}
