import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { Me } from '../../../src/contract/me.ts'
import type { MailAnswer } from '../../../src/contract/sign-in.ts'
import { changeMe, meQuery } from '../../api/me.ts'
import { changeEmail, sendVerification } from '../../api/sign-in.ts'
import { useSharedTexts, useTexts } from '../../dictionaries/texts.ts'
import { useFormat } from '../../format/use-format.ts'
import { Form } from '../../forms/form.tsx'
import { TextField } from '../../forms/text-field.tsx'
import { useForm } from '../../forms/use-form.ts'
import { type Language, LANGUAGE_NAMES, languageOf, LANGUAGES } from '../../language.ts'
import { setPreferences, THEMES, usePreferences, type Theme } from '../../preferences.ts'
import { useGuarded } from '../../shell/identity-guard.tsx'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ErrorState } from '../../ui/error-state.tsx'
import { Notice } from '../../ui/notice.tsx'
import { RadioCards } from '../../ui/radio-cards.tsx'
import { Section } from '../../ui/section.tsx'
import { Switch } from '../../ui/switch.tsx'
import { useChangeMe } from './use-change-me.ts'

export function ProfileSection({ me }: { readonly me: Me }): ReactNode {
  const t = useTexts('account').profile
  const shared = useSharedTexts()
  const format = useFormat()
  const client = useQueryClient()
  const form = useForm({
    initial: { name: me.name },
    send: ({ name }) => changeMe({ name: name.trim() }),
    done: () => shared.saved,
    onDone: (changed) => client.setQueryData(meQuery.queryKey, changed),
  })
  return (
    <Section
      title={t.title}
      lead={t.since(format.date(me.created_at))}
      actions={<Badge tone={me.role === 'admin' ? 'accent' : 'neutral'}>{t.role[me.role]}</Badge>}
    >
      <Form
        submission={form}
        foot={
          <div>
            <Button type="submit" isBusy={form.isSending}>
              {t.save}
            </Button>
          </div>
        }
      >
        <div className="max-w-sm">
          <TextField {...form.text('name', t.name)} hint={t.nameHint} isOptional autoComplete="name" maxLength={100} />
        </div>
      </Form>
    </Section>
  )
}

export function EmailSection({ me }: { readonly me: Me }): ReactNode {
  const t = useTexts('account').email
  const [isChanging, setChanging] = useState(false)
  const [sent, setSent] = useState<MailAnswer | null>(null)
  const verify = useMutation({ mutationFn: sendVerification, onSuccess: setSent })
  return (
    <Section
      title={t.title}
      lead={t.lead}
      actions={
        <>
          {!me.email_verified && (
            <Button icon="mail" isBusy={verify.isPending} onClick={() => verify.mutate()}>
              {t.verify}
            </Button>
          )}
          <Button onClick={() => setChanging(true)}>{t.change}</Button>
        </>
      }
    >
      <div className="grid gap-3">
        <p className="flex flex-wrap items-center gap-2">
          {me.email}
          <Badge tone={me.email_verified ? 'good' : 'warn'} hasDot>
            {me.email_verified ? t.verified : t.unverified}
          </Badge>
        </p>
        {verify.error !== null && <ErrorState error={verify.error} />}
        {sent !== null && (
          <Notice tone="good" isLive>
            {sent.sent_by === 'mail' ? t.sentByMail : t.sentByAdmin}
          </Notice>
        )}
      </div>
      {isChanging && (
        <ChangeEmail
          onClose={() => setChanging(false)}
          onSent={(answer) => {
            setSent(answer)
            setChanging(false)
          }}
        />
      )}
    </Section>
  )
}

function ChangeEmail(props: { onClose(): void; onSent(answer: MailAnswer): void }): ReactNode {
  const t = useTexts('account').email
  const guarded = useGuarded()
  const form = useForm({
    initial: { email: '' },
    validate: ({ email }) => ({ email: email.trim() === '' && 'required' }),
    send: ({ email }) => guarded(() => changeEmail(email.trim())),
    onDone: props.onSent,
  })
  return (
    <Dialog isOpen size="small" title={t.change} description={t.changeLead} onClose={props.onClose}>
      <Form
        submission={form}
        foot={
          <Button type="submit" look="primary" isBusy={form.isSending}>
            {t.action}
          </Button>
        }
      >
        <TextField {...form.text('email', t.newAddress)} type="email" autoComplete="email" />
      </Form>
    </Dialog>
  )
}

export function AppearanceSection({ me }: { readonly me: Me }): ReactNode {
  const t = useTexts('account').appearance
  const shared = useSharedTexts()
  const { change } = useChangeMe()
  const { hasShortcuts } = usePreferences()
  return (
    <Section title={t.title} lead={t.lead}>
      <div className="grid gap-5">
        <RadioCards<Language | 'browser'>
          label={t.language}
          name="language"
          columns={3}
          value={me.language ?? 'browser'}
          onValue={(choice) => {
            setPreferences({ language: choice === 'browser' ? languageOf(navigator.languages) : choice })
            void change({ language: choice === 'browser' ? null : choice })
          }}
          options={[
            { value: 'browser', label: t.likeBrowser },
            ...LANGUAGES.map((value) => ({ value, label: <span lang={value}>{LANGUAGE_NAMES[value]}</span> })),
          ]}
        />
        <RadioCards<Theme>
          label={t.theme}
          name="theme"
          columns={3}
          value={me.theme}
          onValue={(theme) => {
            setPreferences({ theme })
            void change({ theme })
          }}
          options={THEMES.map((value) => ({ value, label: shared.themes[value] }))}
        />
        <Switch
          label={t.shortcuts}
          hint={t.shortcutsHint}
          checked={hasShortcuts}
          onChecked={(isOn) => setPreferences({ hasShortcuts: isOn })}
        />
      </div>
    </Section>
  )
}
