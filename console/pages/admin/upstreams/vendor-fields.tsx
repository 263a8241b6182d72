import type { ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { TextAreaField } from '../../../forms/text-field.tsx'
import type { FormState } from '../../../forms/use-form.ts'
import { nameOf } from '../../../format/name-of.ts'
import { Button } from '../../../ui/button.tsx'
import { Icon } from '../../../ui/icon.tsx'
import { type AddressForm, sourceOf } from './address-form.ts'
import { PlaceFields, VertexFields } from './cloud-fields.tsx'
import { type CredentialForm, MintedFields, mintedSource, SettingFields, SourceField } from './credential-fields.tsx'
import { useVendorName } from './vendor-choice.tsx'
import { type Vendor, type VendorId, vendorOf } from './vendors.ts'

interface FieldsProps {
  readonly form: FormState<AddressForm>
  readonly vendor: Vendor
}

interface SecretProps extends Pick<FieldsProps, 'form'> {
  readonly vendor: Vendor | null
}

/** What is being connected, and the way back to the list. */
export function VendorHead({ id, onChange }: { readonly id: VendorId; onChange(): void }): ReactNode {
  const t = useTexts('connecting')
  const nameOfVendor = useVendorName()
  return (
    <div className="flex items-center justify-between gap-2 border-b border-line pb-3">
      <p className="min-w-0">
        <span className="text-base font-medium">{nameOfVendor(id)}</span>{' '}
        <span className="text-sm text-ink-3">{vendorOf(id).also}</span>
      </p>
      <Button onClick={onChange}>{t.change}</Button>
    </div>
  )
}

/** What a vendor asks for, and nothing else. `vendor` null: it is not known what is at the address. */
export function VendorFields({ form, vendor }: SecretProps): ReactNode {
  const t = useTexts('connecting')
  if (vendor === null) return <SecretFields form={form} vendor={null} />
  const isCloud = vendor.dialect !== null
  return (
    <>
      <PlaceFields form={form} vendor={vendor} />
      {isCloud && (
        <SourceField
          label={t.signIn}
          sources={vendor.credentials}
          value={sourceOf(form.values)}
          onValue={(source) => form.change({ source, settings: {}, credential: '' })}
        />
      )}
      <SecretFields form={form} vendor={vendor} />
      {vendor.dialect === 'vertex' && <VertexFields form={form} />}
    </>
  )
}

/** The credential of an upstream. */
function SecretFields({ form, vendor }: SecretProps): ReactNode {
  const t = useTexts('upstreams').adding
  const { values } = form
  const source = sourceOf(values)
  if (mintedSource(source) !== null) {
    return (
      <>
        <MintedFields {...mintedIn(form)} secretName="credential" />
        <WhereHint source={source} />
      </>
    )
  }
  const isOwnKey = vendor !== null && (vendor.sites.length > 0 || vendor.dialect !== null)
  return (
    <TextAreaField
      {...form.text('credential', t.secrets)}
      hint={isOwnKey ? <KeyHint form={form} vendor={vendor} /> : t.secretsHint}
      rows={vendor === null || !isOwnKey ? 3 : 2}
      autoFocus={vendor !== null && vendor.sites.length === 1}
      autoComplete="off"
      spellCheck={false}
      className="font-mono text-sm"
    />
  )
}

/** The credential of the form, as the fields of credentials take it. */
function mintedIn({ values, errorOf, change }: FormState<AddressForm>) {
  return {
    value: { source: sourceOf(values), settings: values.settings, secret: values.credential },
    errorOf,
    onValue: ({ settings, secret }: Partial<CredentialForm>) =>
      change({
        ...(settings === undefined ? {} : { settings }),
        ...(secret === undefined ? {} : { credential: secret }),
      }),
  }
}

/** Where the vendor's pages have its keys. */
function KeyHint({ form, vendor }: FieldsProps): ReactNode {
  const t = useTexts('connecting')
  const { sites, dialect } = vendor
  const site = sites.find(({ baseUrl }) => baseUrl === form.values.site) ?? sites[0]
  if (site === undefined) return dialect === null ? null : `${t.where[dialect]} ${t.onePerLine}`
  const { host, pathname } = new URL(site.keys)
  return (
    <>
      {t.keysAt}{' '}
      <a href={site.keys} target="_blank" rel="noreferrer" className="text-accent underline [overflow-wrap:anywhere]">
        {host}
        {pathname === '/' ? '' : pathname}
        <Icon name="external" className="ml-1 inline size-3.5" />
      </a>
      {t.onePerLineAfter}
    </>
  )
}

/** Where a cloud's pages have what a source is set with. */
function WhereHint({ source }: { readonly source: string }): ReactNode {
  const t = useTexts('connecting')
  const where = nameOf(source, t.whereSource)
  return where === source ? null : <p className="text-sm text-ink-3">{where}</p>
}

/** What a credential may be set with besides; and another way than a key, of vendors that have one. */
export function MoreVendorFields({ form, vendor }: FieldsProps): ReactNode {
  const t = useTexts('connecting')
  return (
    <>
      {vendor.dialect === null && vendor.credentials.length > 1 && (
        <SourceField
          label={t.signIn}
          sources={vendor.credentials}
          value={sourceOf(form.values)}
          onValue={(source) => form.change({ source, settings: {}, credential: '' })}
        />
      )}
      <SettingFields {...mintedIn(form)} need="optional" />
    </>
  )
}
