/** The files of Swagger UI that `/docs` needs, as they are called in its package and in the folder of the built console. */
export const SWAGGER_UI_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'] as const;
