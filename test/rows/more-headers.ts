/**
 * More real headers of shops, tools and carriers, each with the columns that say something about a shipment to its recipient.
 * Each of those is used or asked about.
 */
export interface MoreExport {
  readonly title: string;
  /** The names, with `,` between them. */
  readonly header: string;
  /** Cells of the first row, by name. */
  readonly cells?: Readonly<Record<string, string>>;
  /** The columns of the recipient and the package that a price depends on. */
  readonly relevant: readonly string[];
  /** What the user answers, beside the warehouse, the weight and its unit. */
  readonly said?: string;
}

export const MORE_EXPORTS: readonly MoreExport[] = [
  {
    title: 'Wix, orders',
    header:
      'Order number,Date created,Time,Fulfill by,Total order quantity,Contact email,Note from customer,Additional checkout info,Item,Variant,SKU,Qty,Quantity refunded,Price,Weight,Custom text,Deposit amount,Delivery method,Delivery time,Recipient name,Recipient phone,Recipient company name,Delivery country,Delivery state,Delivery city,Delivery address,Delivery zip/postal code,Billing name,Billing phone,Billing company name,Billing country,Billing state,Billing city,Billing address,Billing zip/postal code,Payment status,Payment method,Coupon code,Gift card amount,Shipping rate,Total tax,Total,Currency,Refunded amount,Net amount,Additional fees,Fulfillment status,Tracking number,Fulfillment service,Shipping label',
    cells: { 'Delivery country': 'USA', 'Delivery method': 'Standard Shipping', Qty: '2', 'Billing country': 'MEX' },
    relevant: ['Delivery country', 'Delivery address', 'Delivery zip/postal code', 'Weight', 'Delivery method', 'Qty'],
  },
  {
    title: 'Squarespace, orders',
    header:
      'Order ID,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Currency,Subtotal,Shipping,Taxes,Amount Refunded,Total,Discount Code,Discount Amount,Shipping Method,Created at,Lineitem quantity,Lineitem name,Lineitem price,Lineitem sku,Lineitem variant,Lineitem requires shipping,Lineitem taxable,Lineitem fulfillment status,Billing Name,Billing Address1,Billing Address2,Billing City,Billing Zip,Billing Province,Billing Country,Billing Phone,Shipping Name,Shipping Address1,Shipping Address2,Shipping City,Shipping Zip,Shipping Province,Shipping Country,Shipping Phone,Cancelled at,Private Notes,Channel Type,Channel Name,Channel Order Number,Payment Method,Payment Reference',
    cells: {
      'Shipping Method': 'Flat Rate',
      'Shipping Country': 'US',
      'Lineitem quantity': '1',
      'Paid at': '2026-06-01 08:00',
    },
    relevant: ['Shipping Zip', 'Shipping Country', 'Shipping Address1', 'Shipping Method', 'Lineitem quantity'],
  },
  {
    title: 'Square, orders',
    header:
      'Order,Order Date,Order Name,Currency,Order Subtotal,Order Shipping Price,Order Tax Total,Order Total,Order Refunded Amount,Fulfillment Date,Fulfillment Type,Fulfillment Status,Channels,Fulfillment Location,Fulfillment Notes,Recipient Name,Recipient Email,Recipient Phone,Recipient Address,Recipient Address 2,Recipient Postal Code,Recipient City,Recipient Region,Recipient Country,Item Quantity,Item Name,Item SKU,Item Variation,Item Modifiers,Item Price,Item Options Total Price,Item Total Price',
    cells: {
      'Fulfillment Type': 'Shipment',
      'Recipient Country': 'US',
      'Item Quantity': '1',
      'Fulfillment Date': '2026/06/01',
    },
    relevant: ['Recipient Postal Code', 'Recipient Country', 'Recipient Address', 'Item Quantity'],
  },
  {
    title: 'Magento, grid of orders',
    header:
      'ID,Purchase Point,Purchase Date,Bill-to Name,Ship-to Name,Grand Total (Base),Grand Total (Purchased),Status,Billing Address,Shipping Address,Shipping Information,Customer Email,Customer Group,Subtotal,Shipping and Handling,Customer Name,Payment Method,Total Refunded,Allocated sources,Braintree Transaction Source',
    cells: {
      'Shipping Information': 'Flat Rate - Fixed',
      'Customer Group': 'General',
      'Purchase Date': '2026-06-01 08:00:00',
    },
    relevant: ['Shipping Address'],
    said: 'columns=postalCode:Shipping Address',
  },
  {
    title: 'Walmart Marketplace, orders',
    header:
      'PO#,Order#,Order Date,Ship By,Delivery Date,Customer Name,Customer Shipping Address,Customer Phone Number,Ship to Address 1,Ship to Address 2,City,State,Zip,Segment,FLIDS,Line#,UPC,Status,Item Description,Shipping Method,Shipping Tier,Shipping SLA,Shipping Config Source,Qty,SKU,Item Cost,Shipping Cost,Tax,Update Status,Update Qty,Carrier,Tracking Number,Tracking Url,Seller Order NO,Fulfillment Entity,Replacement Order,Original Customer Order Id',
    cells: {
      'Shipping Method': 'Standard',
      'Ship By': '2026-06-02',
      'Delivery Date': '2026-06-08',
      Carrier: 'FedEx',
      Qty: '1',
      State: 'CA',
    },
    relevant: ['Ship to Address 1', 'Zip', 'Shipping Method', 'Carrier', 'Qty'],
  },
  {
    title: 'Newegg, orders',
    header:
      'Order Number,Order Date & Time,Sales Channel,Fulfillment Option,Ship To Address Line 1,Ship To Address Line 2,Ship To City,Ship To State,Ship To Zipcode,Ship to Country,Ship To First Name,Ship To LastName,Ship To Company,Ship To Phone Number,Order Customer Email,Order Shipping Method,Item Seller Part #,Item Newegg #,Item Unit Price,Extend Unit Price,Item Unit Shipping Charge,Extend Shipping Charge,Order Shipping Total,GST or HST Total,PST or QST Total,Order Total,Quantity Ordered,Quantity Shipped,ShipDate,Actual Shipping Carrier,Actual Shipping Method,Tracking Number,Ship From Address,Ship From City,Ship From State,Ship From Zipcode,Ship From Name,Auto Void Time',
    cells: {
      'Ship to Country': 'UNITED STATES',
      'Order Shipping Method': 'Standard',
      'Quantity Ordered': '2',
      'Ship To State': 'IN',
    },
    relevant: [
      'Ship To Zipcode',
      'Ship to Country',
      'Ship To Address Line 1',
      'Order Shipping Method',
      'Quantity Ordered',
      'ShipDate',
      'Actual Shipping Carrier',
      'Actual Shipping Method',
    ],
  },
  {
    title: 'Faire, orders',
    header:
      'Order Date,Order Number,Purchase Order Number,Retailer Name,Address 1,Address 2,City,State,Zip Code,Country,Product Name,Option Name,SKU,GTIN,Status,Quantity,Wholesale Price,Retail Price,Ship Date,Scheduled Order?,Notes',
    cells: { Country: 'United States', Quantity: '6' },
    relevant: ['Address 1', 'Zip Code', 'Country', 'Quantity', 'Ship Date'],
  },
  {
    title: 'Amazon Business, shipments',
    header:
      'Order Date,Order ID,Title,Category,ASIN/ISBN,UNSPSC Code,Website,Release Date,Condition,Seller,Seller Credentials,List Price Per Unit,Purchase Price Per Unit,Quantity,Payment Instrument Type,Purchase Order Number,PO Line Number,Ordering Customer Email,Shipment Date,Shipping Address Name,Shipping Address Street 1,Shipping Address Street 2,Shipping Address City,Shipping Address State,Shipping Address Zip,Order Status,Carrier Name & Tracking Number,Item Subtotal,Item Subtotal Tax,Item Total,Tax Exemption Applied,Tax Exemption Type,Exemption Opt-Out,Buyer Name,Currency,Group Name',
    cells: {
      'Shipping Address State': 'IN',
      Currency: 'USD',
      'Carrier Name & Tracking Number': 'UPS(1Z999AA10123456784)',
      Quantity: '1',
    },
    relevant: ['Shipping Address Zip', 'Shipping Address Street 1', 'Shipment Date', 'Quantity'],
  },
  {
    title: 'ShipHero, labels',
    header:
      'Shipping Label ID,Order Number,Order date,Created at,Carrier,Shipping Method,Tracking Number,Weight (lb),Total Shipping Charged,Label Cost,State,Zip,Country,Length (in),Width (in),Height (in)',
    cells: {
      Carrier: 'dhl_ecommerce',
      'Shipping Method': 'Ground',
      State: 'DE',
      Country: 'US',
      'Created at': '2026-09-04 11:09:07',
    },
    relevant: [
      'Carrier',
      'Shipping Method',
      'Weight (lb)',
      'Zip',
      'Country',
      'Length (in)',
      'Width (in)',
      'Height (in)',
    ],
  },
  {
    title: 'Pirate Ship, import with units',
    header:
      'Order ID,Name,Company,Address Line 1,Address Line 2,City,State,Zip,Country,Email,Phone,Weight (oz),Length (in),Width (in),Height (in),Customer chose,Shipping charged,Items',
    cells: {
      'Customer chose': 'USPS Ground Advantage',
      Country: 'US',
      'Shipping charged': '6.50',
      Items: '1 x HDMI; 2 x Cable',
    },
    relevant: [
      'Customer chose',
      'Address Line 1',
      'Zip',
      'Country',
      'Weight (oz)',
      'Length (in)',
      'Width (in)',
      'Height (in)',
    ],
  },
  {
    title: 'EasyPost, batch of labels',
    header:
      'to_name,to_company,to_street1,to_street2,to_city,to_state,to_zip,to_country,to_phone,to_email,weight,length,width,height,reference',
    cells: { to_state: 'CA', to_country: 'US' },
    relevant: ['to_street1', 'to_zip', 'to_country', 'weight', 'length', 'width', 'height'],
  },
  {
    title: 'DHL eCommerce, bulk upload',
    header:
      'Pick-up Account Number,Sales Channel,Shipment Order ID,Tracking Number,Shipping Service Code,Company,Consignee Name,Address Line 1,Address Line 2,Address Line 3,City,State,Postal Code,Destination Country Code,Phone Number,Email Address,Shipment Weight (g),Length (cm),Width (cm),Height (cm),Currency Code,Total Declared Value,Incoterm,Freight,Is Insured,Insurance,Is COD,Cash on Delivery Value,Recipient ID,Recipient ID Type,Duties,Taxes,Workshare Indicator,Shipment Description,Shipment Import Description,Shipment Export Description,Shipment Content Indicator,Content Description',
    cells: { 'Shipping Service Code': 'PLT', 'Destination Country Code': 'US', State: 'NY' },
    relevant: [
      'Shipping Service Code',
      'Address Line 1',
      'Postal Code',
      'Destination Country Code',
      'Shipment Weight (g)',
      'Length (cm)',
      'Width (cm)',
      'Height (cm)',
      'Total Declared Value',
    ],
  },
  {
    title: 'DHL, labels of a shop',
    header:
      'PurchaseID,CompanyName,Address,Address2,City,State,ZipCode,ATTN,Phone,Email,Residential,Weight,Reference,Service',
    cells: { Residential: 'Y', Service: 'Ground' },
    relevant: ['Address', 'ZipCode', 'Residential', 'Weight', 'Service'],
  },
  {
    title: 'A carrier’s template of parcels',
    header:
      'RecipientContactName,RecipientCompanyName,RecipientStreet1,RecipientStreet2,RecipientCity,RecipientState,RecipientPostalCode,RecipientCountryCode,RecipientPhone,RecipientEmail,RecipientIsResidential,ShipperContactName,ShipperCompanyName,ShipperStreet1,ShipperStreet2,ShipperCity,ShipperState,ShipperPostalCode,ShipperCountryCode,ShipperPhone,ShipperEmail,ShipperIsResidential,Weight,WeightUnit,Length,Width,Height,DimensionUnit,DeclaredValue,Currency,ServiceType,ParcelType,Description,Notes',
    cells: {
      RecipientCountryCode: 'US',
      ShipperCountryCode: 'MX',
      RecipientIsResidential: 'false',
      ShipperIsResidential: 'true',
    },
    relevant: [
      'RecipientStreet1',
      'RecipientPostalCode',
      'RecipientCountryCode',
      'RecipientIsResidential',
      'Weight',
      'WeightUnit',
      'Length',
      'Width',
      'Height',
      'DimensionUnit',
      'DeclaredValue',
      'ServiceType',
    ],
  },
  {
    title: 'FedEx, report of shipments',
    header:
      'Tracking Number,Master Tracking Number,Ship Date (MM/DD/YYYY),Service Type,Pkg Type,Pieces,Pkg Wt (Lbs.),Pkg Wt (Kg.),Total Wt (Lbs.),Dimensions,Recipient Company Name,Recipient Contact Name,Recipient Address,Recipient City,Recipient State/Province,Recipient Postal Code,Recipient Country/Territory,Shipper Name,Shipper Company Name,Shipper Address,Shipper City,Shipper State/Province,Shipper Postal Code,Shipper Country/Territory,Status,Delivery Date,Signature Services,Special Handling',
    cells: {
      'Ship Date (MM/DD/YYYY)': '06/01/2026',
      Dimensions: '12x10x8',
      'Recipient Country/Territory': 'US',
      'Shipper Country/Territory': 'MX',
      'Signature Services': 'Direct signature required',
    },
    relevant: [
      'Ship Date (MM/DD/YYYY)',
      'Service Type',
      'Pieces',
      'Pkg Wt (Lbs.)',
      'Pkg Wt (Kg.)',
      'Dimensions',
      'Recipient Address',
      'Recipient Postal Code',
      'Recipient Country/Territory',
      'Signature Services',
    ],
    said: 'columns=weight_value:Pkg Wt (Lbs.)',
  },
  {
    title: 'A carrier’s invoice as a list',
    header:
      'Ship Date,Actual Weight (lbs),Billed Weight (lbs),Length (in),Width (in),Height (in),Tracking Number,Destination Zip',
    relevant: ['Ship Date', 'Actual Weight (lbs)', 'Length (in)', 'Width (in)', 'Height (in)', 'Destination Zip'],
  },
  {
    title: 'Ship&co, orders',
    header:
      'OrderName,CurrencyCode,RecipientProvince,RecipientCountryCode,RecipientZIP,RecipientFirstName,RecipientLastName,RecipientPhone,RecipientAddress1,RecipientCity,RecipientCompany,Date,RecipientMail,RecipientAddress2,ProductName,Quantity,UnitPrice,OriginCountryCode,HSCode,SKU',
    cells: { RecipientProvince: 'CA', RecipientCountryCode: 'JP', OriginCountryCode: 'JP', Quantity: '3' },
    relevant: ['RecipientCountryCode', 'RecipientZIP', 'RecipientAddress1', 'Quantity'],
  },
  {
    title: 'BoxC, shipments',
    header:
      'object,overpack_id,weight,height,width,length,service,terms,override,ref1,ref2,ref3,shipping_address_company,shipping_address_name,shipping_address_phone,shipping_address_email,shipping_address_street1,shipping_address_street2,shipping_address_province,shipping_address_city,shipping_address_postal_code,shipping_address_country',
    cells: { object: 'S', terms: 'DDU', shipping_address_country: 'US' },
    relevant: [
      'weight',
      'height',
      'width',
      'length',
      'service',
      'shipping_address_street1',
      'shipping_address_postal_code',
      'shipping_address_country',
    ],
  },
  {
    title: 'Convictional, orders',
    header: 'code,partner,date,sku,quantity,name,company,city,zip,state,country,addressOne,addressTwo',
    cells: { quantity: '2', country: 'US', state: 'DE' },
    relevant: ['quantity', 'zip', 'country'],
  },
  {
    title: 'A printer’s fulfillment orders',
    header:
      'order id,ship_name,ship_attn,ship_email,ship_phone,ship_address_1,ship_address_2,ship_city,ship_state,ship_zipcode,ship_country,ship_method,product_sku,product_qty,product_name',
    cells: { ship_country: 'US', ship_method: 'USPS', product_qty: '2' },
    relevant: ['ship_address_1', 'ship_zipcode', 'ship_country', 'ship_method', 'product_qty'],
  },
  {
    title: 'ShippingEasy, orders',
    header:
      'Order Number,Order date & time,Order date,Order time,Status,Order Total,Requested service,Shipping cost,Custom 1,Custom 2,Custom 3,Item name,Item SKU,Item unit price,Item Quantity,Item unit weight (oz),Warehouse Bin,Full Name,First Name,Last Name,Address Line 1,Address Line 2,City,State,Postal Code,Country,Phone,Email',
    cells: { 'Requested service': 'Standard', 'Item Quantity': '1', 'Warehouse Bin': 'A4', Country: 'US' },
    relevant: ['Requested service', 'Item Quantity', 'Address Line 1', 'Postal Code', 'Country'],
  },
  {
    title: 'Shippingbo, orders',
    header:
      'date,orderId,lineId,sku,quantity,name,firstname,lastname,address 1,postcode,city,country,origin,originRef,product ean,description,companyName,state,totalCents,lineShippingCent,totalTaxCents',
    cells: { quantity: '1', country: 'FR', state: 'to_be_prepared', origin: 'Shop' },
    relevant: ['quantity', 'address 1', 'postcode', 'country'],
  },
  {
    title: 'Shopify, a warehouse of data',
    header:
      'billing_address_country,billing_address_zip,billing_address_country_code,shipping_address_first_name,shipping_address_address_1,shipping_address_address_2,shipping_address_city,shipping_address_province,shipping_address_country,shipping_address_zip,shipping_address_company,shipping_address_phone,shipping_address_country_code,shipping_rate_title,source_name,total_price,total_tax,total_weight',
    cells: { billing_address_country_code: 'MX', shipping_address_country_code: 'US', shipping_rate_title: 'Standard' },
    relevant: [
      'shipping_address_address_1',
      'shipping_address_country',
      'shipping_address_zip',
      'shipping_address_country_code',
      'total_weight',
    ],
  },
  {
    title: 'A warehouse’s bulk upload',
    header:
      'Order Reference,Ship To Name,Ship To Line1,Ship To Line2,Ship To City,Ship To Region,Ship To Postal Code,Ship To Country,Customer Note,SKU Code,Quantity,Personalization Engraving Text',
    cells: { 'Ship To Country': 'us', Quantity: '10', 'Ship To Region': 'DE' },
    relevant: ['Ship To Line1', 'Ship To Postal Code', 'Ship To Country', 'Quantity'],
  },
  {
    title: 'Microsoft Dynamics 365, orders',
    header:
      'billto_city,billto_stateorprovince,billto_postalcode,billto_country,willcall,shipto_line1,shipto_line2,shipto_line3,shipto_city,shipto_stateorprovince,shipto_postalcode,shipto_country,shipto_freighttermscode,discountpercentage,discountamount,freightamount,opportunityid,customerid,description',
    cells: { billto_country: 'Mexico', shipto_country: 'USA', willcall: 'No' },
    relevant: ['shipto_line1', 'shipto_postalcode', 'shipto_country'],
  },
  {
    title: 'Sage 50, sales orders',
    header:
      'Customer ID,Customer Invoice #,Ship to Name,Ship to Address-Line One,Ship to Address-Line Two,Ship to City,Ship to State,Ship to Zipcode,Ship to Country,Date Due,Discount Date,Discount Amount,Accounts Payable Account,Ship Via,P.O. Note',
    cells: { 'Ship Via': 'UPS Ground', 'Ship to Country': 'USA', 'Date Due': '6/1/2026' },
    relevant: ['Ship to Zipcode', 'Ship to Country', 'Ship Via'],
  },
  {
    title: 'NetSuite, item fulfillments',
    header:
      'Internal ID,Document Number,Date,Name,Created From,Shipping Addressee,Shipping Address 1,Shipping Address 2,Shipping City,Shipping State/Province,Shipping Zip,Shipping Country Code,Ship Via,Ship Date,Packages : Package Weight in Pounds,Packages : Package Tracking Number,Location,Status,Memo',
    cells: {
      'Ship Via': 'FedEx Ground',
      'Shipping Country Code': 'US',
      'Shipping State/Province': 'CA',
      Date: '6/1/2026',
    },
    relevant: [
      'Shipping Address 1',
      'Shipping Zip',
      'Shipping Country Code',
      'Ship Via',
      'Ship Date',
      'Packages : Package Weight in Pounds',
    ],
  },
  {
    title: 'SAP, outbound deliveries',
    header:
      'Delivery,Delivery Type,Shipping Point,Sales Organization,Ship-to party,Name of the ship-to party,Location of the ship-to party,Postal Code,Country Key,Route,Total Weight,Weight Unit,Volume,Number of packages,Shipping Conditions,Planned goods movement date,Means of Transport ID',
    cells: { 'Delivery Type': 'LF', 'Country Key': 'US', 'Weight Unit': 'KG', 'Number of packages': '2' },
    relevant: ['Postal Code', 'Country Key', 'Total Weight', 'Weight Unit', 'Number of packages'],
    said: 'columns=weight_value:Total Weight',
  },
  {
    title: 'Odoo, transfers',
    header:
      'Reference,Contact,Contact/Street,Contact/Zip,Contact/Country/Country Code,Scheduled Date,Source Document,Status,Carrier,Weight for Shipping,Shipping Weight,Tracking Reference,Number of Packages',
    cells: { 'Contact/Country/Country Code': 'DE', Carrier: 'UPS', 'Scheduled Date': '2026-06-01 08:00:00' },
    said: 'columns=postalCode:Contact/Zip,weight_value:Shipping Weight',
    relevant: ['Contact/Zip', 'Contact/Country/Country Code', 'Carrier', 'Shipping Weight', 'Number of Packages'],
  },
  {
    title: 'OpenCart, orders',
    header:
      'order_id,store_name,firstname,lastname,email,telephone,payment_address_1,payment_postcode,payment_country,payment_iso_code_2,payment_method,shipping_firstname,shipping_address_1,shipping_address_2,shipping_city,shipping_postcode,shipping_zone,shipping_country,shipping_iso_code_2,shipping_method,total,currency_code',
    cells: { shipping_iso_code_2: 'US', payment_iso_code_2: 'MX', shipping_method: 'Flat Shipping Rate' },
    relevant: ['shipping_address_1', 'shipping_postcode', 'shipping_country', 'shipping_method'],
  },
  {
    title: 'Easyship, orders',
    header:
      'Order Number,Full Name,Company,Email Address,Phone Number,Address Line 1,Address Line 2,City,State,Postal Code,Country,Item Name,Item Category,Item SKU,Item Quantity,Item Declared Value,Item Weight (lb),Item Length (in),Item Width (in),Item Height (in),Selected Courier',
    cells: {
      Country: 'US',
      'Item Quantity': '1',
      'Item Length (in)': '12',
      'Item Width (in)': '10',
      'Item Height (in)': '8',
      'Selected Courier': 'UPS',
    },
    relevant: [
      'Address Line 1',
      'Postal Code',
      'Country',
      'Item Quantity',
      'Item Length (in)',
      'Item Width (in)',
      'Item Height (in)',
      'Selected Courier',
    ],
  },
  {
    title: 'Stamps.com, history of labels',
    header:
      'Ship Date,Date Printed,Recipient,Company,Address,City,State,Zip,Country,Class Service,Insured Value,Weight,Amount Paid,Tracking #,Status,Reference,Cost Code,Delivery Confirmation',
    cells: {
      'Class Service': 'Priority Mail',
      Country: 'US',
      'Delivery Confirmation': 'Adult Signature',
      'Insured Value': '120.00',
      'Date Printed': '6/1/2026',
    },
    relevant: [
      'Ship Date',
      'Address',
      'Zip',
      'Country',
      'Class Service',
      'Insured Value',
      'Weight',
      'Delivery Confirmation',
    ],
  },
];
