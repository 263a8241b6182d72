import { useState, type ReactNode } from 'react'
import type { UpstreamView } from '../../../../src/contract/upstreams.ts'
import { changeUpstream } from '../../../api/upstream-admin.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Checkbox } from '../../../ui/checkbox.tsx'
import { NumberField } from '../../../forms/number-field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import { amountOf, amountOrNone, countOf, isEmptyOr } from '../../../forms/typed-numbers.ts'
import { FormDrawer } from '../../../forms/form-dialog.tsx'
import { type FormState, useForm } from '../../../forms/use-form.ts'
import { type CredentialForm, MintedFields, mintedSource, sourceOfCredential } from './credential-fields.tsx'
import { PROTOCOLS } from './found-address.ts'
import { type Dialect, protocolsOf } from './vendors.ts'

const COUNTS = ['max_concurrency', 'connect_timeout_ms', 'first_byte_timeout_ms', 'timeout_ms'] as const
const COUNT = { least: 1, most: 9_999_999 } as const

/**
 * Edits how an upstream is called, reached and limited. Another address takes another credential, as does a proxy that could
 * read it: what is stored is not sent there.
 */
export default function EditUpstream(props: { readonly upstream: UpstreamView; onClose(): void }): ReactNode {
  const texts = useTexts('upstreams')
  const t = texts.editing
  // As it was when the form was opened: what another admin changes meanwhile is not taken back.
  const [upstream] = useState(props.upstream)
  const form = useForm({
    initial: () => ({
      name: upstream.name,
      protocol: upstream.protocol,
      base_url: upstream.base_url,
      dialect: upstream.dialect ?? NO_CLOUD,
      region: upstream.region ?? '',
      api_version: upstream.api_version ?? '',
      proxy_url: '',
      isProxyGone: false,
      credential: '',
      spend_per_day: upstream.spend_per_day ?? '',
      max_concurrency: textOf(upstream.max_concurrency),
      connect_timeout_ms: textOf(upstream.connect_timeout_ms),
      first_byte_timeout_ms: textOf(upstream.first_byte_timeout_ms),
      timeout_ms: textOf(upstream.timeout_ms),
    }),
    validate: (values) => ({
      name: values.name.trim() === '' && 'required',
      base_url: values.base_url.trim() === '' && 'required',
      credential: needsCredential(values) && values.credential.trim() === '' && 'required',
      spend_per_day: !isEmptyOr(amountOf, values.spend_per_day) && 'amountForm',
      ...Object.fromEntries(COUNTS.map((name) => [name, !isEmptyOr(countIn, values[name]) && 'countForm'] as const)),
    }),
    messages: t,
    send: (values, { version }) =>
      changeUpstream(
        upstream.id,
        {
          name: values.name.trim(),
          ...(values.protocol === upstream.protocol ? {} : { protocol: values.protocol }),
          ...(isMoved(values.base_url) ? { base_url: values.base_url.trim() } : {}),
          ...cloudOf(values),
          ...proxyOf(values),
          ...(needsCredential(values) ? credentialOf(upstream, values.credential.trim()) : {}),
          spend_per_day: amountOrNone(values.spend_per_day),
          ...Object.fromEntries(COUNTS.map((name) => [name, countIn(values[name])])),
        },
        version ?? upstream.version,
      ),
    done: ({ name }) => t.done(name),
    refreshes: ['upstreams', 'models', 'attention'],
    onClose: props.onClose,
  })
  const field = (name: Exclude<keyof typeof t.fields, 'protocol' | 'dialect'>) => form.text(name, t.fields[name])
  const { dialect } = form.values
  const protocols = dialect === NO_CLOUD ? PROTOCOLS : protocolsOf(dialect)
  const minted = mintedOf(upstream)
  return (
    <FormDrawer form={form} title={t.title(upstream.name)} onClose={props.onClose}>
      <TextField {...field('name')} maxLength={100} />
      {isRemote(upstream.protocol) && (
        <SelectField
          {...form.choice('protocol', t.fields.protocol)}
          hint={form.values.protocol === upstream.protocol ? undefined : t.protocolHint}
          options={protocols.map((value) => ({ value, label: value }))}
        />
      )}
      <TextField {...field('base_url')} type="url" inputMode="url" spellCheck={false} maxLength={500} />
      {isRemote(upstream.protocol) && <CloudFields form={form} />}
      {needsCredential(form.values) && minted !== null && (
        <MintedFields
          value={{ ...minted, secret: form.values.credential }}
          secretName="credential"
          hasSettings={false}
          errorOf={form.errorOf}
          onValue={({ secret = '' }) => form.change({ credential: secret })}
        />
      )}
      {needsCredential(form.values) && minted === null && (
        <TextField
          {...field('credential')}
          hint={upstream.credentials.length > 1 ? t.poolHint(upstream.credentials.length) : t.credentialHint}
          type="password"
          isSecret
          autoComplete="off"
        />
      )}
      {!form.values.isProxyGone && (
        <TextField
          {...field('proxy_url')}
          hint={upstream.has_proxy ? t.proxyStored : texts.adding.proxyHint}
          isOptional
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          maxLength={1000}
        />
      )}
      {upstream.has_proxy && (
        <Checkbox checked={form.values.isProxyGone} onChecked={(isProxyGone) => form.change({ isProxyGone })}>
          {t.proxyNone}
        </Checkbox>
      )}
      <NumberField of="amount" {...field('spend_per_day')} hint={t.noneHint} isOptional />
      <div className="grid gap-4 sm:grid-cols-2">
        {COUNTS.map((name) => (
          <NumberField of="count" key={name} {...field(name)} isOptional />
        ))}
      </div>
    </FormDrawer>
  )

  function isMoved(address: string): boolean {
    return address.trim() !== upstream.base_url
  }

  /** A proxy reads what passes through it without TLS. */
  function needsCredential({ base_url: address, ...values }: Reached): boolean {
    const isReadByProxy = address.trim().startsWith('http:') && proxyOf(values).proxy_url != null
    return (isMoved(address) || isReadByProxy) && upstream.credentials.some(hasSecret)
  }
}

const NO_CLOUD = 'none' as const

interface CloudForm {
  readonly dialect: Dialect | typeof NO_CLOUD
  readonly region: string
  readonly api_version: string
}

/** The cloud that it is bought from, and what requests to that name. */
function CloudFields({ form }: { readonly form: Pick<FormState<CloudForm>, 'values' | 'text' | 'choice'> }): ReactNode {
  const texts = useTexts('upstreams')
  const t = texts.editing
  const { dialect } = form.values
  return (
    <>
      <SelectField
        {...form.choice('dialect', t.fields.dialect)}
        options={Object.entries(texts.dialects).map(([value, label]) => ({
          value: value as CloudForm['dialect'],
          label,
        }))}
      />
      {dialect === 'bedrock' && (
        <TextField {...form.text('region', t.fields.region)} hint={t.regionHint} isOptional maxLength={100} />
      )}
      {dialect === 'azure' && (
        <TextField
          {...form.text('api_version', t.fields.api_version)}
          hint={t.versionHint}
          isOptional
          maxLength={100}
        />
      )}
    </>
  )
}

/** The cloud as it is sent: what another cloud asks for is taken away. */
function cloudOf({ dialect, region, api_version: version }: CloudForm) {
  return {
    dialect: dialect === NO_CLOUD ? null : dialect,
    region: dialect === 'bedrock' ? region.trim() || null : null,
    api_version: dialect === 'azure' ? version.trim() || null : null,
  }
}

type Credential = UpstreamView['credentials'][number]

/** The way to the upstream's first credential, as `kind.source`, with its settings; null: it is a secret that is sent as it is. */
function mintedOf({ credentials: [first] }: UpstreamView): Pick<CredentialForm, 'source' | 'settings'> | null {
  if (first === undefined) return null
  const source = sourceOfCredential(first)
  return mintedSource(source) === null ? null : { source, settings: first.settings ?? {} }
}

function hasSecret(credential: Credential): boolean {
  const minted = mintedSource(sourceOfCredential(credential))
  return minted === null || minted.secret !== null
}

/** One secret in place of all: of the kind that the first had. */
function credentialOf(upstream: UpstreamView, secret: string): object {
  const [first] = upstream.credentials
  if (first === undefined || mintedOf(upstream) === null) return { credential: secret }
  return { credentials: [{ name: first.name, kind: first.kind, settings: first.settings, secret }] }
}

interface Reached {
  readonly base_url: string
  readonly proxy_url: string
  readonly isProxyGone: boolean
}

/** Left empty, the proxy stays as it is. */
function proxyOf({ proxy_url: typed, isProxyGone }: Omit<Reached, 'base_url'>): { readonly proxy_url?: string | null } {
  if (isProxyGone) return { proxy_url: null }
  return typed.trim() === '' ? {} : { proxy_url: typed.trim() }
}

function isRemote(protocol: string): boolean {
  return PROTOCOLS.some((each) => each === protocol)
}

function countIn(text: string): number | null {
  return countOf(text, COUNT)
}

function textOf(count: number | null): string {
  return count === null ? '' : String(count)
}
