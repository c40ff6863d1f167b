/** The Swagger UI files that `/docs` needs. The package and the folder of the built console use the same names. */
export const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
