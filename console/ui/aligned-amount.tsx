import type { ReactNode } from 'react'
import { roomBehind } from '../format/money.ts'
import { classNames } from './class-names.ts'

/** An amount in a column, with room behind it so that all points stand below each other. `places`: of the usual longest. */
export function AlignedAmount(props: {
  readonly shown: string
  readonly places: number
  readonly title?: string
  readonly className?: string
  /** Whether it is in a list, which is a column on phones as well. */
  readonly isListed?: boolean
}): ReactNode {
  return (
    <span title={props.title} className={classNames('whitespace-nowrap tabular-nums', props.className)}>
      {props.shown}
      {/* Digits are of one width; on cards there is no column. */}
      <span
        aria-hidden="true"
        className={classNames('invisible select-none', props.isListed !== true && 'max-lg:hidden')}
      >
        {/\d/.test(props.shown) ? '0'.repeat(roomBehind(props.shown, props.places)) : ''}
      </span>
    </span>
  )
}
