import type { Page } from 'playwright-core'
import type { Furnished } from '../furnish.ts'
import type { Texts } from '../languages.ts'
import type { Person, Place } from '../place.ts'

/** Something of the console that people see: a page, a part of one, or what opens on it. */
export interface View {
  readonly name: string
  /** Below `/console`; given a place, so that links can be made for it. */
  readonly path: string | ((world: World) => Promise<string>)
  /** `new`: signed in without anything of one's own yet. Default: an account in the middle of working life. */
  readonly as?: 'signed_out' | 'new' | 'admin'
  /** Waits until it is there, and opens what it is about. */
  show(page: Page, texts: Texts, world: World): Promise<void>
}

export interface World {
  readonly place: Place
  readonly ada: Furnished
  readonly root: Person
}

export const page = (name: string, path: View['path'], show: View['show']): View => ({ name, path, show })

export const dialog = (at: Page, name: string) => at.getByRole('dialog', { name }).waitFor()
export const question = (at: Page) => at.getByRole('alertdialog').waitFor()
