import type { ReactNode } from 'react'
import { useTexts } from '../../../dictionaries/texts.ts'
import { SelectField } from '../../../forms/select-field.tsx'
import { TextField } from '../../../forms/text-field.tsx'
import type { FormState } from '../../../forms/use-form.ts'
import { nameOf } from '../../../format/name-of.ts'
import { type AddressForm, projectOf } from './address-form.ts'
import { type Protocol, type Vendor, vendorOf } from './vendors.ts'

interface FieldsProps {
  readonly form: FormState<AddressForm>
  readonly vendor: Vendor
}

/** Where a vendor's models are asked for: what its kind of address is made of, and which of its models. */
export function PlaceFields({ form, vendor }: FieldsProps): ReactNode {
  const t = useTexts('connecting')
  const { dialect, sites } = vendor
  if (dialect === 'azure') {
    return <TextField {...form.text('base_url', t.target)} hint={t.targetHint} {...URL_FIELD} autoFocus />
  }
  if (dialect === 'bedrock') {
    return (
      <>
        <TextField {...form.text('region', t.region)} {...PLAIN_FIELD} placeholder="us-east-1" autoFocus />
        <ModelsField form={form} vendor={vendor} />
      </>
    )
  }
  if (dialect === 'vertex') return <ModelsField form={form} vendor={vendor} />
  if (sites.length > 1) return <SiteField form={form} vendor={vendor} />
  if (sites.length === 1) return null
  return (
    <TextField
      {...form.text('base_url', t.address)}
      placeholder={vendor.example}
      hint={vendor.group === 'local' ? t.containerHint : t.addressHint}
      {...URL_FIELD}
      autoFocus
    />
  )
}

/** The project and the place of Vertex: a service account's file says its project. */
export function VertexFields({ form }: Pick<FieldsProps, 'form'>): ReactNode {
  const t = useTexts('connecting')
  const said = projectOf({ project: '', credential: form.values.credential })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <TextField {...form.text('project', t.project)} {...PLAIN_FIELD} placeholder={said || 'my-project'} />
      <TextField {...form.text('location', t.location)} {...PLAIN_FIELD} placeholder="global" isOptional />
    </div>
  )
}

/** Asks which models are bought there: those of each protocol are an upstream of their own. */
function ModelsField({ form, vendor }: FieldsProps): ReactNode {
  const t = useTexts('connecting')
  return (
    <SelectField<Protocol>
      name="protocol"
      label={t.modelsThere}
      hint={t.modelsThereHint}
      value={form.values.protocol || vendor.protocols[0] || 'openai-chat'}
      onValue={(protocol) => form.change({ protocol })}
      options={vendor.protocols.map((value) => ({ value, label: nameOf(value, t.modelsBy) }))}
    />
  )
}

/** Asks which of a vendor's sites an account is of: keys of one are refused by the others. */
function SiteField({ form, vendor }: FieldsProps): ReactNode {
  const t = useTexts('connecting')
  const [first] = vendor.sites
  return (
    <SelectField
      name="site"
      label={t.site}
      hint={t.siteHint}
      value={form.values.site || (first?.baseUrl ?? '')}
      onValue={(site) => form.change({ site })}
      options={vendor.sites.map(({ at, baseUrl }) => ({
        value: baseUrl,
        label: `${at === null ? vendor.name : t.sites[at]} (${new URL(baseUrl).host})`,
      }))}
      autoFocus
    />
  )
}

/** What most people of a cloud need not say. */
export function MoreCloudFields({ form }: Pick<FieldsProps, 'form'>): ReactNode {
  const t = useTexts('connecting')
  const { vendor } = form.values
  if (vendor !== 'bedrock' && vendor !== 'vertex') return null
  return (
    <TextField
      {...form.text('base_url', t.endpoint)}
      hint={t.endpointHint}
      placeholder={vendorOf(vendor).example}
      {...URL_FIELD}
      isOptional
    />
  )
}

const PLAIN_FIELD = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false, maxLength: 100 } as const
const URL_FIELD = { type: 'url', inputMode: 'url', autoComplete: 'off', spellCheck: false, maxLength: 500 } as const
