import { type ReactNode, useState } from 'react'
import { CALL_KINDS, TOKEN_KINDS, UNIT_KINDS } from '../../../api/price-kinds.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import type { Submission } from '../../../forms/use-submission.ts'
import { Button } from '../../../ui/button.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Menu } from '../../../ui/menu.tsx'
import { AmountFields, FactorFields, TierFields } from './price-fields.tsx'
import { NEW_TIER, type PriceForm, SERVICE_NAMES } from './price-form.ts'

const MenuRows = lazyPart(() => import('../kit/menu-rows.tsx'))

const FIRST = TOKEN_KINDS.slice(0, 2)
const CACHE = TOKEN_KINDS.slice(2, 4)
const UNITS = [...TOKEN_KINDS.slice(4), ...UNIT_KINDS]
const NEW_ROW = { name: '', factor: '' }

const PARTS = ['cache', 'units', 'tiers', 'services', 'places', 'calls'] as const
type Part = (typeof PARTS)[number]

interface PriceInForm {
  readonly form: PriceForm
  onChange(part: Partial<PriceForm>): void
  readonly errorOf: Submission['errorOf']
}

/** What a price has: input and output, and whatever else is set or was added here. */
export function PriceParts(props: PriceInForm): ReactNode {
  const { kinds } = useTexts('models')
  const [added, setAdded] = useState<ReadonlySet<Part>>(new Set())
  const { form, onChange, errorOf } = props
  const isShown = (part: Part): boolean => added.has(part) || isSet(part, form)
  const amounts = (of: readonly (typeof UNITS)[number][]): ReactNode => (
    <AmountFields
      at="price"
      kinds={of}
      labels={kinds}
      amounts={form.amounts}
      onAmount={(kind, amount) => onChange({ amounts: { ...form.amounts, [kind]: amount } })}
      errorOf={errorOf}
    />
  )
  const factors = (['services', 'places'] as const).filter(isShown)
  return (
    <>
      {amounts([...FIRST, ...(isShown('cache') ? CACHE : [])])}
      {isShown('units') && amounts(UNITS)}
      {isShown('tiers') && <TierFields tiers={form.tiers} onTiers={(tiers) => onChange({ tiers })} errorOf={errorOf} />}
      {factors.length > 0 && (
        <div className="grid gap-5 lg:grid-cols-2">
          {factors.map((at) => (
            <FactorsOf key={at} at={at} {...props} />
          ))}
        </div>
      )}
      {isShown('calls') && <CallFields {...props} />}
      <AddPart
        parts={PARTS.filter((part) => !isShown(part))}
        onAdd={(part) => {
          setAdded(new Set(added).add(part))
          if (part === 'tiers') onChange({ tiers: [NEW_TIER] })
          if (part === 'services') onChange({ services: [{ ...NEW_ROW, name: SERVICE_NAMES[0] }] })
          if (part === 'places') onChange({ places: [NEW_ROW] })
        }}
      />
    </>
  )
}

function isSet(part: Part, form: PriceForm): boolean {
  const { amounts, tiers, services, places, calls, ownServices } = form
  const isWritten: Readonly<Record<Part, boolean>> = {
    cache: CACHE.some((kind) => amounts[kind] !== ''),
    units: UNITS.some((kind) => amounts[kind] !== ''),
    tiers: tiers.length > 0,
    services: services.length > 0 || Object.keys(ownServices).length > 0,
    places: places.length > 0,
    calls: CALL_KINDS.some((kind) => calls[kind] !== ''),
  }
  return isWritten[part]
}

/** One button for all that few models are priced by. */
function AddPart(props: { readonly parts: readonly Part[]; onAdd(part: Part): void }): ReactNode {
  const t = useTexts('prices').editor
  if (props.parts.length === 0) return null
  return (
    <div>
      <Menu align="start" onNear={MenuRows.load} trigger={<Button icon="plus">{t.add}</Button>}>
        <MenuRows
          rows={props.parts.map((part) => ({ icon: 'plus', text: t.parts[part], onSelect: () => props.onAdd(part) }))}
        />
      </Menu>
    </div>
  )
}

function FactorsOf({ at, form, onChange, errorOf }: PriceInForm & { readonly at: 'services' | 'places' }): ReactNode {
  const t = useTexts('prices').editor
  const own = Object.keys(form.ownServices)
  const words =
    at === 'services'
      ? { title: t.parts.services, lead: t.servicesLead, add: t.addService, names: SERVICE_NAMES }
      : { title: t.parts.places, lead: t.placesLead, add: t.addPlace, names: [] }
  return (
    <FactorFields
      at={at}
      {...words}
      note={at === 'places' || own.length === 0 ? undefined : t.ownServices(own)}
      rows={form[at]}
      onRows={(rows) => onChange({ [at]: rows })}
      errorOf={errorOf}
    />
  )
}

function CallFields({ form, onChange, errorOf }: PriceInForm): ReactNode {
  const t = useTexts('prices').editor
  const { calls } = useTexts('models')
  return (
    <fieldset className="grid min-w-0 gap-3">
      <legend className="font-medium">{t.parts.calls}</legend>
      <AmountFields
        at="price.per_call"
        kinds={CALL_KINDS}
        labels={calls}
        amounts={form.calls}
        onAmount={(kind, amount) => onChange({ calls: { ...form.calls, [kind]: amount } })}
        errorOf={errorOf}
      />
    </fieldset>
  )
}
