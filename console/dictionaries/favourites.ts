import type { FavouritesTexts } from './favourites-en.ts'
import { pageDictionary } from './page-dictionary.ts'

/** The words of the star beside a model. */
export const favouritesDictionary = pageDictionary<FavouritesTexts>({
  en: () => import('./favourites-en.ts').then((file) => file.favouritesEn),
  'zh-CN': () => import('./favourites-zh-cn.ts').then((file) => file.favouritesZhCn),
})
