import { type ReactNode, useState } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { replaceSecret } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { FormDialog } from '../../../forms/form-dialog.tsx'
import { useForm } from '../../../forms/use-form.ts'
import { mintedProblem, settingProblems } from './address-problems.ts'
import {
  type CredentialForm,
  credentialInput,
  MintedFields,
  mintedSource,
  SettingFields,
  SourceField,
  sourceOfCredential,
} from './credential-fields.tsx'
import { sourcesOf } from './vendors.ts'

/** Changes how one credential of a pool is got at: its source, settings and secret. */
export function ChangeCredential(props: {
  readonly upstream: UpstreamView
  readonly credential: UpstreamView['credentials'][number]
  onClose(): void
}): ReactNode {
  const t = useTexts('upstreams').replacing
  const words = useTexts('connecting')
  const { credential, onClose } = props
  // As it was when the form was opened: the rest of the pool is sent along.
  const [upstream] = useState(props.upstream)
  const stored = sourceOfCredential(credential)
  const form = useForm({
    initial: (): CredentialForm => ({ source: stored, settings: credential.settings ?? {}, secret: '' }),
    validate: ({ source, settings, secret }) => ({
      ...settingProblems(source, settings),
      secret: secret.trim() === '' && source === stored ? false : secretProblem(source, secret),
    }),
    messages: words.problems,
    send: (values, { version }) =>
      replaceSecret(upstream, {
        name: credential.name,
        ...credentialInput(values),
        version: version ?? upstream.version,
      }),
    done: () => t.changeDone(credential.name),
    refreshes: ['upstreams'],
    onClose,
  })
  return (
    <FormDialog form={form} title={t.changeTitle(credential.name)} action={t.action} onClose={onClose}>
      <SourceField
        label={words.signIn}
        sources={sourcesOf(upstream)}
        value={form.values.source}
        onValue={(source) => form.change({ source, settings: {}, secret: '' })}
      />
      <MintedFields
        value={form.values}
        secretName="secret"
        isKept={form.values.source === stored}
        errorOf={form.errorOf}
        onValue={form.change}
      />
      <SettingFields value={form.values} need="optional" errorOf={form.errorOf} onValue={form.change} />
    </FormDialog>
  )
}

function secretProblem(source: string, secret: string) {
  if (mintedSource(source) !== null) return mintedProblem(source, secret)
  return secret.trim() === '' ? 'required' : false
}

/** The way to a credential that is minted, in words: by what it is got at, and what that is set with. */
export function MintedWords({ credential }: Pick<Parameters<typeof ChangeCredential>[0], 'credential'>): ReactNode {
  const words = useTexts('connecting')
  const source = sourceOfCredential(credential)
  const names: Readonly<Record<string, string>> = words.settings
  const { source: _, ...settings } = credential.settings ?? {}
  const said = Object.entries(settings).map(([name, value]) => `${names[name] ?? name}: ${value}`)
  const sources: Readonly<Record<string, string>> = words.sources
  return (
    <p className="text-sm [overflow-wrap:anywhere] text-ink-2">{[sources[source] ?? source, ...said].join(' · ')}</p>
  )
}
