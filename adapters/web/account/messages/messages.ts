import type { Language } from '../../../../domain/shared/language.ts';
import { de } from './de.ts';
import { en, type Messages } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';
import { ja } from './ja.ts';
import { ko } from './ko.ts';

export const MESSAGES: Readonly<Record<Language, Messages>> = { en, ko, de, fr, es, ja };
