import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { KeySetup, SetupWay } from '../../../../src/contract/setup.ts'
import { meQuery } from '../../../api/me.ts'
import { useTexts } from '../../../dictionaries/texts.ts'
import { Field } from '../../../forms/field.tsx'
import { SelectField } from '../../../forms/select-field.tsx'
import { useFormat } from '../../../format/use-format.ts'
import { Disclosure } from '../../../ui/disclosure.tsx'
import { Notice } from '../../../ui/notice.tsx'
import { Select } from '../../../ui/select.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { chooseListedModels } from './listed-models.ts'
import type { SetUpChoice } from './use-set-up-choice.ts'

// Few places have so many models that one has to search them.
const Combobox = lazyPart(
  async () => ({ default: (await import('../../../ui/combobox.tsx')).Combobox }),
  <Skeleton className="h-9" />,
)

const FavouriteButton = lazyPart(
  () => import('../../../ui/favourite-button.tsx'),
  <span className="size-8.5 shrink-0 touch:size-11" />,
)

/** Above this, a list is searched rather than read. */
const MOST_IN_A_LIST = 15

/** The protocol, where a client has several, and the key's models that go into the setup. */
export function SetUpModels(props: {
  readonly choice: SetUpChoice
  readonly way: SetupWay
  readonly setup: KeySetup
}): ReactNode {
  const { choice, way } = props
  const t = useTexts('keys')
  const s = useTexts('setup')
  const format = useFormat()
  const [first, ...others] = way.slots
  const ways = choice.client?.ways ?? []
  const isFailing = (name: string | undefined): boolean =>
    props.setup.models.some((model) => model.name === name && model.answers === false)
  const failing = [...new Set(Object.values(choice.models))].filter(isFailing)
  return (
    <div className="grid grid-cols-1 gap-3">
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {first !== undefined && (
          <div className="flex items-end gap-1">
            <div className="min-w-0 flex-1">
              <ModelField
                label={t.setUp.model}
                models={way.models}
                value={choice.models[first.placeholder] ?? first.suggested}
                onValue={(name) => choice.setModel(first.placeholder, name)}
              />
            </div>
            <FavouriteButton model={choice.models[first.placeholder] ?? first.suggested} />
          </div>
        )}
        {ways.length > 1 && (
          <SelectField
            name="protocol"
            label={t.setUp.protocol}
            options={ways.map((each) => ({ value: each.protocol, label: s.protocols[each.protocol] }))}
            value={way.protocol}
            onValue={choice.setProtocol}
          />
        )}
        {way.listed !== null && way.models.length > 1 && (
          <SelectField
            name="listed"
            label={t.setUp.listed}
            options={[
              { value: 'favourites' as const, label: t.setUp.listedFavourites },
              { value: 'all' as const, label: t.setUp.listedAll(way.models.length) },
            ]}
            value={way.listed ?? 'all'}
            onValue={chooseListedModels}
          />
        )}
      </div>
      {failing.length > 0 && (
        <Notice tone="warn" isLive>
          {t.setUp.failing(format.list(failing))}
        </Notice>
      )}
      {others.length > 0 && way.models.length > 1 && <OtherSlots slots={others} way={way} choice={choice} />}
    </div>
  )
}

/** The models of the client's further slots, folded away. */
function OtherSlots(props: {
  readonly slots: SetupWay['slots']
  readonly way: SetupWay
  readonly choice: SetUpChoice
}): ReactNode {
  const t = useTexts('keys')
  const format = useFormat()
  const { slots, way, choice } = props
  return (
    <Disclosure
      title={t.setUp.moreModels}
      summary={format.list([
        ...new Set(slots.map(({ placeholder, suggested }) => choice.models[placeholder] ?? suggested)),
      ])}
    >
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
        {slots.map(({ placeholder, suggested }) => (
          <ModelField
            key={placeholder}
            label={t.setUp.otherModels[placeholder]}
            models={way.models}
            value={choice.models[placeholder] ?? suggested}
            onValue={(name) => choice.setModel(placeholder, name)}
          />
        ))}
      </div>
    </Disclosure>
  )
}

/** One of the key's models. */
export function ModelField(props: {
  readonly label: string
  readonly models: readonly string[]
  readonly value: string
  onValue(name: string): void
}): ReactNode {
  const favourites = useQuery(meQuery).data?.favourite_models ?? []
  const isFavourite = (name: string): boolean => favourites.includes(name)
  const options = [...props.models]
    .sort((a, b) => Number(isFavourite(b)) - Number(isFavourite(a)))
    .map((name) => ({ value: name, label: isFavourite(name) ? `★ ${name}` : name }))
  return (
    <Field name="model" label={props.label}>
      {(control) =>
        options.length > MOST_IN_A_LIST ? (
          <Combobox
            {...control}
            options={options}
            value={props.value}
            onValue={(name) => name !== null && props.onValue(name)}
          />
        ) : (
          <Select {...control} options={options} value={props.value} onValue={props.onValue} />
        )
      }
    </Field>
  )
}
