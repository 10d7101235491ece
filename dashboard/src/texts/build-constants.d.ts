// Replaced by the build, see texts-plugin.ts.

/** The languages whose texts are complete. */
declare const __TEXT_LANGUAGES__: readonly import('./languages.ts').Language[];
/** Distinguishes the files with texts of one build from those of another. */
declare const __TEXT_VERSION__: string;
