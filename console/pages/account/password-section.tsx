import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import { accessTokensQuery } from '../../api/access-tokens.ts'
import { meQuery } from '../../api/me.ts'
import { changePassword, sessionsQuery } from '../../api/sign-in.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { NewPasswordForm } from '../../forms/new-password-form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import type { FieldErrors } from '../../forms/use-submission.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/checkbox.tsx'
import { Section } from '../../ui/section.tsx'
import { useToast } from '../../ui/toasts.tsx'

export function PasswordSection({ me }: { readonly me: Me }): ReactNode {
  const { password: t, sessions } = useTexts('account')
  const shared = useSharedTexts()
  const toast = useToast()
  const client = useQueryClient()
  const [current, setCurrent] = useState('')
  const [keepsTokens, setKeepsTokens] = useState(false)
  const hasTokens = (useQuery(accessTokensQuery).data?.data.length ?? 0) > 0
  return (
    <Section title={t.title} lead={me.has_password ? t.lead : t.leadNone}>
      <NewPasswordForm
        name="new_password"
        title={t.title}
        label={t.next}
        layout="grid max-w-2xl gap-4 sm:grid-cols-2"
        others={{
          names: ['current_password'],
          check: (): FieldErrors => (me.has_password && current === '' ? { current_password: shared.required } : {}),
          shown: (submission) => (
            <>
              {/* Password managers look for the name beside the password. */}
              <input type="email" name="username" autoComplete="username" value={me.email} readOnly hidden />
              {me.has_password && (
                <TextField
                  {...submission.field('current_password')}
                  label={t.current}
                  type="password"
                  autoComplete="current-password"
                  value={current}
                  onValue={setCurrent}
                />
              )}
            </>
          ),
        }}
        foot={(isSending) => (
          <div className="grid justify-items-start gap-3">
            {hasTokens && (
              <Checkbox checked={keepsTokens} onChecked={setKeepsTokens} hint={sessions.keepTokensHint}>
                {sessions.keepTokens}
              </Checkbox>
            )}
            <Button type="submit" isBusy={isSending}>
              {me.has_password ? t.action : t.actionNone}
            </Button>
          </div>
        )}
        send={(password) =>
          changePassword({
            new_password: password,
            end_access_tokens: !keepsTokens,
            ...(me.has_password ? { current_password: current } : {}),
          })
        }
        onDone={() => {
          setCurrent('')
          setKeepsTokens(false)
          toast({ text: t.done })
          void client.invalidateQueries({ queryKey: meQuery.queryKey })
          void client.invalidateQueries({ queryKey: sessionsQuery.queryKey })
          void client.invalidateQueries({ queryKey: accessTokensQuery.queryKey })
        }}
      />
    </Section>
  )
}
