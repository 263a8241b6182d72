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
      before: 'You are invited to create an account. Open this link and choose a password:',
      after: 'The link works once, until {until}. If you did not expect an invitation, ignore this email.',
    },
    reset: {
      subject: 'A new password for Tollgate',
      before: 'A new password was requested for your account. Open this link to choose one:',
      after:
        'The link works once, until {until}. If this was not you, ignore this email: your password has not changed.',
    },
    verify: {
      subject: 'Confirm your address for Tollgate',
      before: 'Open this link to confirm that this address is yours:',
      after: 'The link works once, until {until}. If you did not request this, ignore this email.',
    },
  },
  'zh-CN': {
    invitation: {
      subject: '邀请您加入 Tollgate',
      before: '您受邀创建账户。请打开以下链接并设置密码：',
      after: '此链接仅可使用一次，有效期至 {until}。如非您本人预期，请忽略本邮件。',
    },
    reset: {
      subject: '重置您的 Tollgate 密码',
      before: '我们收到了重置您账户密码的请求。请打开以下链接设置新密码：',
      after: '此链接仅可使用一次，有效期至 {until}。如非您本人操作，请忽略本邮件，您的密码不会改变。',
    },
    verify: {
      subject: '验证您的 Tollgate 邮箱地址',
      before: '请打开以下链接，验证此邮箱地址属于您：',
      after: '此链接仅可使用一次，有效期至 {until}。如非您本人操作，请忽略本邮件。',
    },
  },
}
