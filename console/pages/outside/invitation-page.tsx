import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { InvitationPreview } from '../../../src/contract/sign-in.ts'
import { previewInvitation, signInOptionsQuery, signUp } from '../../api/sign-in.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { languageNow } from '../../preferences.ts'
import { Notice } from '../../ui/notice.tsx'
import { useEnterConsole } from './enter-console.ts'
import { LinkPreview } from './link-preview.tsx'
import { useLinkToken } from './link-token.ts'
import { NewAccountForm } from './new-account-form.tsx'
import { OidcInstead } from './other-ways.tsx'
import { OutsideFrame } from './outside-frame.tsx'

/** The link that an admin hands to a new user. */
export default function InvitationPage(): ReactNode {
  const t = useTexts('outside').invitation
  const token = useLinkToken()
  return (
    <OutsideFrame title={t.title}>
      <LinkPreview token={token} preview={previewInvitation}>
        {(preview, valid) => <InvitationForm key={valid} preview={preview} token={valid} />}
      </LinkPreview>
    </OutsideFrame>
  )
}

function InvitationForm({
  preview,
  token,
}: {
  readonly preview: InvitationPreview
  readonly token: string
}): ReactNode {
  const t = useTexts('outside').invitation
  const { sentences } = useSharedTexts()
  const format = useFormat()
  const enter = useEnterConsole()
  const { data: options } = useQuery(signInOptionsQuery)
  const { credit, plan } = preview
  return (
    <div className="grid gap-3">
      <p className="-mt-4 mb-2 text-ink-2">
        {sentences([t.lead(preview.role), t.validUntil(format.time(preview.expires_at))])}
      </p>
      {(credit !== null || plan !== null) && (
        <Notice tone="good">
          {sentences([
            ...(credit === null ? [] : [t.credit(format.exactMoney(credit))]),
            ...(plan === null ? [] : [t.plan(plan.name, plan.days)]),
          ])}
        </Notice>
      )}
      <NewAccountForm
        action={t.action}
        fixedEmail={preview.email}
        fixedEmailHint={t.fixedEmail}
        send={({ email, password, name }) =>
          signUp({ email, password, invitation: token, language: languageNow(), ...(name === '' ? {} : { name }) })
        }
        onDone={enter}
      />
      {options?.oidc != null && <OidcInstead name={options.oidc.name} invitation={token} />}
    </div>
  )
}
